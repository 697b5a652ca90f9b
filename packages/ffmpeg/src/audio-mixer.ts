import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { definePlugin, type MediaTrack, type RenderPlan, type Warning } from '@vid/kernel'
import { mixAudio } from './sound-mix.ts'
import type { SoundTrack } from './sound-track.ts'

/** The real path of a source below a project; undefined when it is missing or lies elsewhere. */
const findSource = async (projectDir: string, src: string): Promise<string | undefined> => {
  const root = await realpath(projectDir)
  const file = await realpath(resolve(root, src)).catch(() => undefined)
  return file?.startsWith(root.endsWith(sep) ? root : root + sep) ? file : undefined
}

const soundOf = (
  { kind, src, start, end, mediaStart, rate, loop, volume, volumeCurve, source }: MediaTrack,
  fps: number,
): Omit<SoundTrack, 'file'> => {
  const left = source.duration - mediaStart
  return {
    label: `<${kind} src="${src}">`,
    ...{ start, end, mediaStart, rate },
    ...(loop && left > 0 && { loop: left }),
    // The first frame of a window is the first that is not before its start.
    gain: volumeCurve ? { fps, firstFrame: Math.ceil(start * fps - 1e-6), values: volumeCurve } : volume,
  }
}

const findTracks = async (plan: RenderPlan, projectDir: string, warn: (warning: Warning) => void) => {
  const tracks: SoundTrack[] = []
  for (const track of plan.audio) {
    const file = await findSource(projectDir, track.src)
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
export const audioMixer = definePlugin({
  name: '@vid/ffmpeg',
  setup(hooks) {
    hooks.mix.tapPromise('@vid/ffmpeg', async ({ plan, path, projectDir, signal, warn }) => {
      const output = `${path}.wav`
      const tracks = await findTracks(plan, projectDir, warn)
      const { mixed } = await mixAudio({ tracks, seconds: plan.frames / plan.fps, output, signal, warn })
      return { file: mixed > 0 ? output : null }
    })
  },
})
