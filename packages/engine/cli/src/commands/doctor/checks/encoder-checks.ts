import { join } from 'node:path'
import { bytesText } from '@vid/command'
import { codecOf, codecs, encodableCodecs, findFfmpeg } from '@vid/ffmpeg'
import { createKernel, type PluginOf, render } from '@vid/kernel'
import { checkRequest } from '@vid/protocol'
import { type Bench, ownPlugins } from '../bench.ts'
import type { Trial, TrialFinding } from '../check.ts'
import { painter } from '../painter.ts'

const HINT = 'Unset VID_FFMPEG_PATH and VID_FFPROBE_PATH, or reinstall the packages of vid.'

/** A program that the user has chosen is not replaced by one of the packages. */
const commandFor = (env: NodeJS.ProcessEnv): string => {
  const chosen = ['VID_FFMPEG_PATH', 'VID_FFPROBE_PATH'].find((name) => env[name])
  return chosen === undefined ? 'npm install --force' : `unset ${chosen}`
}

/** The ffmpeg that encodes, mixes and reads media. */
export const ffmpegTrial = (env: NodeJS.ProcessEnv): Trial => ({
  name: 'ffmpeg',
  required: true,
  missing: 'every render',
  // Programs that may not be run where npm has put them are copied there.
  needs: ['cache folder'],
  hint: HINT,
  command: commandFor(env),
  async look(signal) {
    const { version, source, ffmpeg } = await findFfmpeg({ env, signal })
    return { detail: `${version} (${source}), ${ffmpeg}` }
  },
})

/** The codecs of mp4 and hls that this ffmpeg can encode; it fails where the config chooses another one. */
export const codecTrial = ({ config: { render: settings } }: Bench, env: NodeJS.ProcessEnv): Trial => {
  const codec = codecOf(settings)
  return {
    name: 'codecs',
    required: settings.codec !== undefined,
    missing: `mp4 and hls as ${codec}`,
    needs: ['ffmpeg'],
    hint: `Install ffmpeg 5.1 or newer with ${codecs[codec].library}, or choose another codec.`,
    async look(signal) {
      const able = await encodableCodecs(await findFfmpeg({ env, signal }), signal)
      const others = Object.entries(codecs).filter(([name]) => !able.some((one) => one === name))
      const lacks = others.map(([name, { library }]) => `; ${name} needs an ffmpeg with ${library}`).join('')
      return { failed: !able.includes(codec), detail: `${able.join(', ')}${lacks}` }
    },
  }
}

const encodeSecond = async (
  bench: Bench,
  encoder: PluginOf<'encoder'>,
  format: string,
  signal: AbortSignal,
): Promise<TrialFinding> => {
  const { folder, config } = bench
  if (!encoder.accepts.some((format) => format === 'rgba' || format === 'png'))
    return { detail: `not tested, since it accepts only ${encoder.accepts.join(', ')}` }
  const kernel = createKernel({
    capture: painter(encoder.audio !== false),
    encoders: [encoder],
    plugins: ownPlugins(bench),
  })
  const request = checkRequest({
    projectDir: folder,
    output: join(folder, 'encoded'),
    format,
    quality: 'draft',
    ...(config.render.gpu === true && encoder.hardware === true && { gpu: true }),
  })
  const { frames, fileSize } = await render(kernel, request, { signal })
  return { detail: `${frames} frames${encoder.audio === false ? '' : ' and sound'}, ${bytesText(fileSize)}` }
}

/** A second in each format of the config. */
export const encoderTrials = (bench: Bench): readonly Trial[] => {
  const { setup, render: settings } = bench.config
  const defaultFormat = settings.format ?? 'mp4'
  return setup.encoders.flatMap((encoder) =>
    encoder.formats.map((format) => ({
      name: `encode ${format}`,
      required: format === defaultFormat,
      missing: `${format} files`,
      needs: ['scratch folder', 'ffmpeg'],
      hint: HINT,
      look: (signal: AbortSignal) => encodeSecond(bench, encoder, format, signal),
    })),
  )
}
