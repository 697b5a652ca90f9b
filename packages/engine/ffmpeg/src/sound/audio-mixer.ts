import type { MixedSound, MixJob } from '@vid/kernel'
import { type FrameRate, firstFrameAt, type MediaTrack, secondsOf } from '@vid/protocol'
import { mediaChanged } from '../probe/planned-source.ts'
import { readSource } from '../probe/source.ts'
import { mixAudio } from './sound-mix.ts'
import type { SoundTrack } from './sound-track.ts'

const soundOf = (
  { kind, src, start, end, heardFrom, heardUntil, ...track }: MediaTrack,
  fps: FrameRate,
): Omit<SoundTrack, 'file'> => {
  const { mediaStart, rate, loop, volume, volumeCurve, pan, source } = track
  const remaining = source.duration - mediaStart
  return {
    label: `<${kind} src="${src}">`,
    start,
    end: Math.min(end, heardUntil ?? end),
    mediaStart,
    rate,
    ...(heardFrom !== undefined && { from: heardFrom }),
    ...(loop && remaining > 0 && { loop: remaining }),
    ...(pan !== undefined && { pan }),
    // The first frame of an element is the first that is not before its start.
    gain: volumeCurve ? { fps, firstFrame: firstFrameAt(start, fps), values: volumeCurve } : volume,
  }
}

/** The tracks that a plan says are heard, each with the file that was planned; VID_MEDIA_CHANGED when it is another. */
export const findTracks = async ({
  plan,
  sources,
  signal,
}: Pick<MixJob, 'plan' | 'sources' | 'signal'>): Promise<SoundTrack[]> => {
  const tracks: SoundTrack[] = []
  for (const track of plan.audio) {
    const file = await sources.file(track.src)
    const source = file === undefined ? undefined : await readSource(file, { signal })
    if (source?.digest !== track.source.digest) throw mediaChanged(track, source)
    tracks.push({ ...soundOf(track, plan.fps), file: source.file })
  }
  return tracks
}

/** Mixes the audible tracks of a plan; needs only the plan and its sources. */
export const mixPlan = async (
  job: Pick<MixJob, 'plan' | 'path' | 'sources' | 'signal' | 'warn' | 'onGrowth'>,
): Promise<MixedSound> => {
  const { plan, path, signal, warn, onGrowth } = job
  const { fps, frames, range, loudness } = plan
  const output = `${path}.wav`
  const first = range?.start ?? 0
  const from = secondsOf(first, fps)
  const until = secondsOf(first + frames, fps)
  const mix = { tracks: await findTracks(job), from, until, output, signal, warn, ...(onGrowth && { onGrowth }) }
  const compositionEnd = secondsOf(range?.of ?? frames, fps)
  const { trackCount } = loudness
    ? await (await import('./limited-mix.ts')).mixLimited({ ...mix, gain: loudness.gain, compositionEnd })
    : await mixAudio(mix)
  // What was decoded is of the files that were planned.
  await findTracks(job)
  return { file: trackCount > 0 ? output : null }
}
