/** A function of the caller's gave a promise where none belongs: that it rejects must not end the process. */

export function ignoreRejection(given: any): void {
  if (typeof given?.then === "function") Promise.resolve(given).catch(() => {});
}
