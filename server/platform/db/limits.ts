/**
 * Limits of each connection of the pools of svc. A process that is frozen within a transaction
 * keeps its locks, and the transactions of other processes that wait for them occupy their pools. So the
 * session of the frozen one ends first, and those that wait for it succeed.
 */
export const CONNECTION_LIMITS = {
  // Milliseconds.
  idle_in_transaction_session_timeout: 5_000,
  lock_timeout: 8_000,
}

/** Ends the sessions of a host that disappeared. Without effect on a socket of the same host. */
export const TCP_LIMITS = {
  // Seconds.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  // Milliseconds.
  tcp_user_timeout: 25_000,
}

/** Lifts the limits within a transaction, such as that of a migration. */
export const NO_LIMITS = `
set local statement_timeout = 0; set local lock_timeout = 0;
set local idle_in_transaction_session_timeout = 0;`

/** For work at the start, during which other servers wait: one that is frozen is ended after a minute. */
export const START_LIMITS = `
set local statement_timeout = 0; set local lock_timeout = 0;
set local idle_in_transaction_session_timeout = '60s';`
