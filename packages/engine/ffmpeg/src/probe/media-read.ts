import { confineProgram } from '../confine/confinement.ts'
import { type MediaProcess, runForOutput, startProcess } from '../tools/process.ts'
import { mediaInput } from './media-input.ts'

/** A run of ffmpeg or ffprobe that reads one media file. */
export interface MediaRead {
  /** Absolute path of the program. */
  readonly program: string
  readonly file: string
  /** Options before the input. */
  readonly before?: readonly string[]
  /** Options after the input. */
  readonly after?: readonly string[]
  /** The one folder that it writes to, absolute; without it, it writes to its stdout only. */
  readonly writes?: string
}

const prepare = async ({ program, file, before = [], after = [], writes }: MediaRead) => {
  const args = [...before, ...(await mediaInput(file)), ...after]
  return { program, args, start: await confineProgram({ program, reads: file, ...(writes && { writes }) }) }
}

/**
 * Starts a program on a media file, which may be anybody's, in a sandbox: it reaches that file, the folder it writes to and
 * nothing else. Fails like `mediaInput`, and where a sandbox is required and absent.
 */
export const startMediaRead = async (read: MediaRead, signal: AbortSignal | undefined): Promise<MediaProcess> => {
  const { program, args, start } = await prepare(read)
  const child = startProcess(program, args, signal, start)
  child.stdin.end()
  return child
}

/** Runs a program on a media file to its end, as `startMediaRead` starts it; returns its stdout, and the errors that it reported. */
export const readMedia = async (
  read: MediaRead,
  signal: AbortSignal | undefined,
  { strict = false }: { readonly strict?: boolean } = {},
): Promise<{ readonly stdout: string; readonly reported: string | undefined }> => {
  const { program, args, start } = await prepare(read)
  return runForOutput(program, args, signal, { ...start, strict })
}
