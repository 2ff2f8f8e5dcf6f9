/* latency_domain.h -- where the models have been held against simulation, and found to be right within 10 % in network
 * latency: what the bench of fidelity and `metapath validate` measure and check.
 * Open sources by what holds links: to a part of the model's own saturation and of the time that the fullest link is
 * held; with buffers of so many times less than a message, so many channels, credit loops so many times the buffer.
 * Closed sources to a part of the latter time, where links have no channels. */
#pragma once

#include "analysis/latency/latency.h"

struct latency_domain {
    const char *name;
    double part, utilisation, flits, channels, loop;
};
/* That of its open sources: holds, one buffered channel, several channels or message level, these by what messages do
 * besides turning once. Of metapath:static, and others with one way a pair, that of their kind. */
const struct latency_domain *latency_domain(const struct latency_study *s);
/* `part` of the model's own saturation (NAN: not known), and of the time that the fullest link is held. */
enum validity latency_judge(const struct latency_study *s, double part, double utilisation);

/* Whether messages may wait for each other in a circle for good: each link, or each class, holds one message at a time
 * and the turns that messages take close a cycle over links, which the scheme of options.classes does not break
 * (dependencies.h; W. Dally and C. Seitz 1987). Where only a number of classes is known, two break the cycles of
 * dimension order round rings (dateline). */
bool latency_may_deadlock(const struct latency_study *s);
/* The same where links have several channels with limited buffers: not in classes that are known to prevent it. */
bool latency_lacks_classes(const struct latency_study *s);
/* Sets router.classes and blocks by the scheme of options.classes: as few classes as it needs to close no cycle; where
 * it closes one, all that messages take. Adaptive messages may take any channel: of these only `blocks` is set, by the
 * classes of their escape (of none said: datelines for dimension order on rings) and a channel more. */
int latency_divide(struct latency_study *s, struct err *err);
/* Classes of channels that the routings need so that they may not; 1 where none are known to do. */
int latency_classes(const struct net *net, const struct routing *routing, size_t nrouting);
/* Whether two classes of that scheme are proven to be enough: of datelines, for dimension order on the rings of a grid.
 * NULL: no scheme. */
bool latency_proven(const struct net *net, const struct routing *routing, size_t nrouting, const char *scheme);
