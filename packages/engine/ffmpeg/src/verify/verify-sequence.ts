import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Verification } from '@vid/kernel'
import { probeMedia } from '../probe/probe.ts'
import { outputWrong } from './output-wrong.ts'

const HEADER_BYTES = 26
/** The IEND chunk, which ends every complete PNG. */
const END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
/** Limit on the problems that an error lists. */
const MAX_PROBLEMS = 10

const imageProblem = async (path: string, { width, height }: Verification['plan']): Promise<string | undefined> => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size < HEADER_BYTES + END.length) return `has ${size} bytes`
    const { buffer: head } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    const { buffer: tail } = await file.read(Buffer.alloc(END.length), 0, END.length, size - END.length)
    if (head.readUInt32BE(0) !== 0x89504e47 || !tail.equals(END)) return 'is not a complete PNG'
    const dimensions = [head.readUInt32BE(16), head.readUInt32BE(20)]
    if (dimensions[0] !== width || dimensions[1] !== height)
      return `is ${dimensions.join(' × ')}, not ${width} × ${height}`
    return head[24] === 8 && head[25] === 6 ? undefined : 'is not RGBA of 8 bits'
  } finally {
    await file.close()
  }
}

/** Checks a finished folder of frames against its plan; VID_OUTPUT_WRONG lists the differences. */
export const verifySequence = async (
  { plan, artifact, sound }: Verification,
  { signal, nameOf, audio }: { readonly signal: AbortSignal; nameOf(frame: number): string; readonly audio: string },
): Promise<void> => {
  const names = Array.from({ length: plan.frames }, (_, frame) => nameOf(frame))
  const expected = new Set(sound ? [...names, audio] : names)
  const files = new Set(await readdir(artifact.path))
  const problems = [
    ...[...expected].filter((name) => !files.has(name)).map((name) => `${name} is missing`),
    ...[...files].filter((name) => !expected.has(name)).map((name) => `${name} does not belong to it`),
  ]
  for (const name of names.filter((file) => files.has(file))) {
    signal.throwIfAborted()
    const problem = await imageProblem(join(artifact.path, name), plan)
    if (problem !== undefined) problems.push(`${name} ${problem}`)
  }
  if (sound && files.has(audio)) {
    const [stream] = (await probeMedia(join(artifact.path, audio), { signal })).audio
    if (stream?.codec !== 'aac' || stream.sampleRate !== 48_000 || stream.channels !== 2)
      problems.push(`${audio} is not stereo AAC of 48 kHz`)
  }
  const lines = problems.slice(0, MAX_PROBLEMS)
  if (problems.length > lines.length) lines.push(`and ${problems.length - lines.length} more`)
  if (lines.length > 0) throw outputWrong(plan.format, lines)
}
