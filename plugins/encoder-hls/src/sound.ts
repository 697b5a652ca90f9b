import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { aacArgs, findFfmpeg, type MediaProcess, QUIET, startProcess } from '@vid/ffmpeg'
import type { GrowingSound } from '@vid/kernel'
import { createGrowth } from '@vid/system'
import { failHls } from './errors.ts'
import { type FragmentEvents, readFragments } from './fragment-reader.ts'
import { growingBytes, samplesOfWav } from './growing-wav.ts'
import { packetCount, type SoundLength } from './schedule.ts'
import type { Sample, Track } from './track.ts'
import type { TrackSource } from './writer.ts'

/** The sound of a video, which is encoded while its segments are written; its track has the packets so far. */
export interface SoundSource extends TrackSource, SoundLength {
  readonly track: Track
  /** Waits until there are `count` packets, or all. */
  encoded(count: number, isLast: boolean): Promise<void>
  close(): Promise<void>
}

/** Microseconds of sound that are written at once. */
const FRAGMENT_US = 500_000

/** Starts to encode a wav as AAC in fragments of mp4. */
const startEncoder = async (signal: AbortSignal): Promise<MediaProcess> => {
  const { ffmpeg } = await findFfmpeg({ signal })
  const input = ['-f', 'wav', '-format_whitelist', 'wav', '-protocol_whitelist', 'pipe', '-i', 'pipe:0']
  const bitexact = ['-map_metadata', '-1', '-flags', '+bitexact', '-fflags', '+bitexact']
  // Without the delay, the head is written before it is known what the encoder adds at the start.
  const fragments = ['-movflags', '+empty_moov+delay_moov+default_base_moof', '-frag_duration', `${FRAGMENT_US}`]
  const output = [...bitexact, ...fragments, '-f', 'mp4', 'pipe:1']
  return startProcess(ffmpeg, [...QUIET, ...input, '-map', '0:a:0', ...aacArgs, ...output], signal)
}

/** Has a sound encoded to its end. */
const encode = async (
  child: MediaProcess,
  sound: AsyncIterable<Buffer>,
  handle: TrackSource['handle'],
  events: FragmentEvents,
): Promise<void> => {
  const soundFailures: unknown[] = []
  const bytes = async function* () {
    try {
      yield* sound
    } catch (thrown) {
      soundFailures.push(thrown)
      throw thrown
    }
  }
  const work = [
    child.succeeded(),
    readFragments(child.stdout, handle, events),
    pipeline(Readable.from(bytes()), child.stdin),
  ]
  // Whatever fails first, the process is of no use then.
  for (const part of work) part.catch(() => child.kill())
  const outcomes = await Promise.allSettled(work)
  if (soundFailures.length > 0) throw soundFailures[0]
  // When the process and its pipes fail, the process has the cause.
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/**
 * Begins to encode the sound of a video, and resolves when its first packets are there. `path` is used for a file that
 * has no name any more once it is open.
 */
export const openSoundSource = async (audio: GrowingSound, path: string, outer: AbortSignal): Promise<SoundSource> => {
  const stop = new AbortController()
  const signal = AbortSignal.any([outer, stop.signal])
  const samples = await samplesOfWav(audio)
  const handle = await open(path, 'w+')
  const growth = createGrowth()
  const packets: Sample[] = []
  let track: Track | undefined
  const start = async () => {
    await rm(path, { force: true })
    const wav = await open(audio.file)
    try {
      await encode(await startEncoder(signal), growingBytes(audio, wav), handle, {
        onTrack(head) {
          track = { ...head, samples: packets }
        },
        onPackets(next) {
          for (const packet of next) packets.push(packet)
          growth.grow()
        },
      })
    } finally {
      // A generator that waits for more sound does not end before the wait does.
      await wav.close()
    }
  }
  const encoding = start()
  growth.endWith(encoding)
  const close = async () => {
    stop.abort(new Error('the sound is not needed any more'))
    await encoding.catch(() => {})
    await handle.close()
  }
  const problem = (text: string) => failHls('VID_HLS_SOURCE', { file: audio.file, problem: text })
  try {
    await growth.until(() => packets.length > 0)
    const [first] = packets
    if (!track || !first) throw problem('it has no sound')
    const length = { track, packetTicks: first.duration, totalTicks: samples + track.delay }
    const count = packetCount(length)
    return {
      ...length,
      handle,
      close,
      async encoded(end, isLast) {
        await growth.until(() => !isLast && packets.length >= end)
        if (packets.length < end || (isLast && packets.length !== count))
          throw problem(`it has ${packets.length} packets, not ${count}`)
      },
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
