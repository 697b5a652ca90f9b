import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { childEnvironment } from '@vid/system'

/** Words to put before a program's command line. */
export interface Launch {
  readonly words: readonly string[]
  /** A filter of system calls for the file descriptor 3. */
  readonly filter?: Uint8Array
}

/**
 * A static build that converts character sets, as for names in a transport stream, loads the system's converters and
 * crashes in them: it is pointed at a folder without any. What the system says of an error is read, so it is English.
 */
const environment = (): NodeJS.ProcessEnv => ({
  ...childEnvironment(),
  GCONV_PATH: '/nonexistent',
  LC_ALL: 'C',
})

/** Starts a program, after the words of a sandbox where there are some, with pipes for its input and output. */
export const spawnPiped = (
  program: string,
  args: readonly string[],
  { words, filter }: Launch = { words: [] },
): ChildProcessWithoutNullStreams => {
  const [command = program, ...rest] = [...words, program, ...args]
  const child = spawn(command, rest, {
    stdio: ['pipe', 'pipe', 'pipe', ...(filter ? (['pipe'] as const) : [])],
    windowsHide: true,
    env: environment(),
  })
  const filterInput = child.stdio[3]
  // Whoever starts the program reads the filter before it; when it dies, its own message says why.
  if (filterInput && 'end' in filterInput) filterInput.on('error', () => {}).end(filter)
  return child as ChildProcessWithoutNullStreams
}
