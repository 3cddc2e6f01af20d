/** The words of the policy that records and observers repeat. */

export type BreakerState = "closed" | "open" | "half_open";

/** Why an endpoint was passed over. */
export type SkipReason = "breaker_open" | "resting" | "capability" | "no_time" | "protocol" | "budget";
