import type { MediaTrack, MixedSound, MixJob, RenderPlan, Warning } from '@vid/kernel'
import { findSourceFile } from '../probe/source-file.ts'
import { mixAudio } from './sound-mix.ts'
import type { SoundTrack } from './sound-track.ts'

const soundOf = (
  { kind, src, start, end, heardFrom, heardUntil, ...track }: MediaTrack,
  fps: number,
): Omit<SoundTrack, 'file'> => {
  const { mediaStart, rate, loop, volume, volumeCurve, source } = track
  const left = source.duration - mediaStart
  return {
    label: `<${kind} src="${src}">`,
    ...{ start, end: Math.min(end, heardUntil ?? end), mediaStart, rate },
    ...(heardFrom !== undefined && { from: heardFrom }),
    ...(loop && left > 0 && { loop: left }),
    // The first frame of a window is the first that is not before its start.
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
        message: `the sound of ${sound.label} is left out: there is no such file in the project`,
        hint: 'Put the file into the project and refer to it by a relative path.',
      })
  }
  return tracks
}

/** Mixes what a plan says is heard; needs the plan and the project alone. */
export const mixPlan = async ({ plan, path, projectDir, signal, warn }: MixJob): Promise<MixedSound> => {
  const output = `${path}.wav`
  const tracks = await findTracks(plan, projectDir, warn)
  const { mixed } = await mixAudio({ tracks, seconds: plan.frames / plan.fps, output, signal, warn })
  return { file: mixed > 0 ? output : null }
}
