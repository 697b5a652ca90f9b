import { withoutCredentials } from '@vid/protocol'

/** What `VID_DEBUG` can print, apart from the stacks that `1` adds to errors. */
export const DEBUG_TOPICS = ['cdp', 'ffmpeg', 'plan'] as const

/** `cdp`: DevTools commands and events. `ffmpeg`: command lines and exits. `plan`: the plan of each render. */
export type DebugTopic = (typeof DEBUG_TOPICS)[number]

/** Variables of the environment. */
type Env = Readonly<Record<string, string | undefined>>

const namesIn = ({ VID_DEBUG = '' }: Env) => VID_DEBUG.split(',').map((name) => name.trim())

/** Whether `VID_DEBUG` asks for the stacks of errors. */
export const wantsStacks = (env: Env = process.env): boolean => namesIn(env).includes('1')

/** Unknown names in `VID_DEBUG`. */
export const unknownDebugNames = (env: Env = process.env): readonly string[] =>
  namesIn(env).filter((name) => !['', '0', '1', ...DEBUG_TOPICS].includes(name))

/** Writes one line of a topic to stderr, with the milliseconds since the process began and without credentials. */
export type DebugLog = (text: string) => void

/** The log of a topic, or undefined where `VID_DEBUG` does not name it: what it would print need not be computed then. */
export const debugLog = (topic: DebugTopic, env: Env = process.env): DebugLog | undefined => {
  if (!namesIn(env).includes(topic)) return undefined
  return (text) => process.stderr.write(`${topic} ${performance.now().toFixed(1)} ms ${withoutCredentials(text)}\n`)
}

/** Whether `VID_HEADED=1` asks for a browser with a window. */
export const wantsWindow = (env: Env = process.env): boolean => env.VID_HEADED === '1'

/** Whether `VID_KEEP_SCRATCH=1` asks for temporary folders to stay. */
export const keepsScratch = (env: Env = process.env): boolean => env.VID_KEEP_SCRATCH === '1'

/** Prints on stderr the path of a folder that `VID_KEEP_SCRATCH=1` has kept. */
export const reportKept = (subject: string, folder: string): void =>
  void process.stderr.write(`kept ${subject}: ${folder}\n`)
