/** What the runtime's own errors prove, read from the codes on their chain of causes and never from their words. */

interface Thrown {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** Chains are followed this deep, and this wide: they may be cyclic, and an AggregateError may hold many. */
const DEPTH = 8;
const WIDTH = 32;

/** Is there one among the error, its causes and what they aggregate? Happy Eyeballs puts the codes in `errors`. */
function someCause(cause: unknown, test: (code: string, error: Thrown) => boolean): boolean {
  let level = [cause];
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    const errors = level.filter((error): error is Thrown => typeof error === "object" && error !== null);
    if (errors.some((error) => test(String(error.code), error))) return true;
    level = errors
      .flatMap(({ cause, errors }) => (Array.isArray(errors) ? [cause, ...errors.slice(0, WIDTH)] : [cause]))
      .slice(0, WIDTH);
  }
  return false;
}

/** OpenSSL's verification results, Node's `ERR_TLS_CERT_ALTNAME_INVALID`, and TLS alerts about a certificate. */
const CERTIFICATE = /CERT|^(CRL_|UNABLE_TO_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$)/;

/** DNS, refusal, no route, connect timeout, TLS. The two without underscores are Bun's. */
const NO_CONNECTION =
  /^(E(CONNREFUSED|NOTFOUND|AI_\w+|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|ADDRNOTAVAIL|PROTO)|UND_ERR_CONNECT_TIMEOUT|ERR_(SSL|TLS)_\w+|ConnectionRefused|FailedToOpenSocket)$/;

/** The host's certificate, or ours, was not accepted: another try would meet the same one. */
export function isCertificateError(cause: unknown): boolean {
  return someCause(cause, (code) => CERTIFICATE.test(code));
}

/** There was never a connection over which the request could have gone. */
export function neverConnected(cause: unknown): boolean {
  return someCause(
    cause,
    (code, { syscall }) =>
      NO_CONNECTION.test(code) || CERTIFICATE.test(code) || syscall === "connect" || syscall === "getaddrinfo",
  );
}
