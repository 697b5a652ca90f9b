import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Launch, spawnPiped } from './spawn.ts'

/** More in one piece than any picture or sound needs. */
const BLOCK_BYTES = 1e9
const BLOCKS = 15

/**
 * Delays every channel but one of a sound by a block, for which memory is set aside and never touched: it costs nothing,
 * but the system refuses it where it would refuse memory to a decoder.
 */
const GRAPH = `anullsrc=cl=hexadecagonal,aformat=u8p,adelay=0S${`|${BLOCK_BYTES}S`.repeat(BLOCKS)}`

/** Options with which ffprobe and ffmpeg open the sound, and what they print then; neither does at the other's. */
const WITNESSES = [
  [['-show_format', '-of', 'json'], '"format"'],
  [['-t', '0.01', '-f', 'framecrc', 'pipe:1'], '#tb 0'],
] as const

/** Whether the system may refuse memory now and grant it a moment later, depending on other programs. */
const isRationed = async (): Promise<boolean> =>
  (await readFile('/proc/sys/vm/overcommit_memory', 'utf8').catch(() => '')).trim() === '2'

/**
 * Whether a program, started in the same way, gets as much memory as it asks for. Then "Cannot allocate memory" was
 * ffmpeg's own refusal of a size that its input declares: where memory does run out, the system ends programs.
 */
export const hasMemoryRoom = async (
  program: string,
  launch: Launch | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  if (await isRationed()) return false
  for (const [end, mark] of WITNESSES) {
    signal?.throwIfAborted()
    const child = spawnPiped(program, ['-v', 'quiet', '-f', 'lavfi', '-i', GRAPH, ...end], launch)
    const kill = () => child.kill('SIGKILL')
    signal?.addEventListener('abort', kill, { once: true })
    child.stdin.on('error', () => {}).end()
    child.stderr.resume()
    const ended = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('close', resolve)
    })
    const [output, code] = await Promise.all([text(child.stdout).catch(() => ''), ended])
    signal?.removeEventListener('abort', kill)
    if (code === 0 && output.includes(mark)) return true
  }
  return false
}
