/** Abort signals that count who listens to them. */

export class CountedController extends AbortController {
  /** Who listens now: the platform counts a listener that is added twice once. */
  readonly listeners = new Set<unknown>();
  /** How many were ever added: 0 would say that nobody looked. */
  added = 0;

  constructor() {
    super();
    const { signal, listeners } = this;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (type: string, run: any, options?: any) => {
      this.added++;
      listeners.add(run);
      addEventListener.call(signal, type, run, options);
    };
    signal.removeEventListener = (type: string, run: any, options?: any) => {
      listeners.delete(run);
      removeEventListener.call(signal, type, run, options);
    };
  }
}
