#include "graph/devices.h"

void devices_release(struct devices *d)
{
    FREE(d->guid, d->port_guid, d->nport, d->site, d->fault);
    *d = (struct devices){ 0 };
}
