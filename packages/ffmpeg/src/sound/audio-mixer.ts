import type { MediaTrack, MixedSound, MixJob, RenderPlan, Warning } from '@vid/kernel'
import { findSourceFile } from '../probe/source-file.ts'
import { mixAudio } from './sound-mix.ts'
import type { SoundTrack } from './sound-track.ts'

const soundOf = (
  { kind, src, start, end, heardFrom, heardUntil, ...track }: MediaTrack,
  fps: number,
): Omit<SoundTrack, 'file'> => {
  const { mediaStart, rate, loop, volume, volumeCurve, source } = track
  const remaining = source.duration - mediaStart
  return {
    label: `<${kind} src="${src}">`,
    ...{ start, end: Math.min(end, heardUntil ?? end), mediaStart, rate },
    ...(heardFrom !== undefined && { from: heardFrom }),
    ...(loop && remaining > 0 && { loop: remaining }),
    // The first frame of an element is the first that is not before its start.
    gain: volumeCurve ? { fps, firstFrame: Math.ceil(start * fps - 1e-6), values: volumeCurve } : volume,
  }
}

const findTracks = async (plan: RenderPlan, projectDir: string, warn: (warning: Warning) => void) => {
  const tracks: SoundTrack[] = []
  for (const track of plan.audio) {
    const file = await findSourceFile(projectDir, track.src)
    const sound = soundOf(track, plan.fps)
    if (file) tracks.push({ ...sound, file })
    else
      warn({
        code: 'VID_SOUND_LEFT_OUT',
        message: `the sound of ${sound.label} is skipped: the project has no such file`,
        hint: 'Put the file into the project and refer to it by a relative path.',
      })
  }
  return tracks
}

/** Mixes the audible tracks of a plan; needs only the plan and the project folder. */
export const mixPlan = async ({ plan, path, projectDir, signal, warn }: MixJob): Promise<MixedSound> => {
  const output = `${path}.wav`
  const tracks = await findTracks(plan, projectDir, warn)
  const { mixed } = await mixAudio({ tracks, seconds: plan.frames / plan.fps, output, signal, warn })
  return { file: mixed > 0 ? output : null }
}
