/** The stream has a heartbeat each second. Without one, the page must stop saying that it is live within two seconds. */
export const SILENT_AFTER_MS = 1_700;
/** A stream that is silent for so long does not come back. */
export const OVER_AFTER_MS = 10_000;

/**
 * Notices that an open stream is silent, as it is when the other side hangs without closing the connection. `onResumed` follows
 * `onSilent` when the stream continues: nothing was missed then. Otherwise `onOver` follows.
 */
export function createSilenceWatch(on: { onSilent(): void; onResumed(): void; onOver(): void }) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSilent = false;

  function stop() {
    clearTimeout(timer);
    isSilent = false;
  }

  return {
    /** Called for each heartbeat. The first one starts the watch. */
    onHeartbeat() {
      if (isSilent) on.onResumed();
      stop();
      timer = setTimeout(() => {
        isSilent = true;
        on.onSilent();
        timer = setTimeout(on.onOver, OVER_AFTER_MS - SILENT_AFTER_MS);
      }, SILENT_AFTER_MS);
    },
    stop,
  };
}
