/** The clock, in seconds. Tests have their own. */
export const clock = {
  now: (): number => performance.now() / 1000,

  /** Waits, unless the signal ends it. */
  pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, seconds * 1000)
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
    })
  },
}

/** Returns the pause after so many failures: 1, 2, 4 … 60 seconds. */
export function step(failures: number): number {
  return Math.min(2 ** (failures - 1), 60)
}
