import { afterAll, vi } from 'vitest'

type Close = () => unknown

/** Belongs to the process: fixtures are loaded once, while this file runs before each test file. */
const processState = globalThis as typeof globalThis & { readonly vidFileEnd?: Close[] }
const closers: Close[] = processState.vidFileEnd ?? Object.assign(globalThis, { vidFileEnd: [] as Close[] }).vidFileEnd

/**
 * Runs `close` at the end of the test file that runs now. A fixture cannot ask for that with `afterAll`: where test files
 * share modules, it is loaded by the first file alone.
 */
export const atFileEnd = (close: Close): void => void closers.push(close)

afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  // The next file in this process gets it as this one did.
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
