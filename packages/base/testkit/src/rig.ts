import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createKernel,
  defineCapture,
  defineEncoder,
  definePlugin,
  type KernelSetup,
  type PluginOf,
  type SharedPool,
} from '@vid/kernel'
import { checkRequest, type RenderRequestInput, secondsOf } from '@vid/protocol'
import { onTestFinished } from 'vitest'
import { greyFrames, type Picture, pictureFormats } from './pictures.ts'

/** Size of the videos that the suites render, in pixels. */
export const WIDTH = 64
export const HEIGHT = 48

/** A folder that is removed when the test ends. */
export const scratchFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-testkit-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A capture engine that sends pictures. */
export const playing = (pictures: readonly Picture[]): PluginOf<'capture'> =>
  defineCapture({
    name: '@vid/testkit/capture',
    build: async () => 'testkit',
    open: async ({ width, height }) => ({
      probe: async () => ({ duration: null, stateful: false, media: [] }),
      frames({ start, frames }, accepts) {
        const format = accepts.find((accepted) => pictureFormats.includes(accepted)) ?? 'png'
        return greyFrames(pictures.slice(start, start + frames), start, format, width, height)
      },
      close: async () => {},
    }),
  })()

/** An encoder that writes the indexes of its frames. */
export const counting = (format = 'count'): PluginOf<'encoder'> =>
  defineEncoder({
    name: '@vid/testkit/encoder',
    formats: [format],
    accepts: ['rgba', 'png'],
    async encode(frames, { path }) {
      const indexes: number[] = []
      for await (const { index } of frames) indexes.push(index)
      await writeFile(path, `${indexes.join()}\n`)
      return { file: path }
    },
    async join(segments, _audio, { path }) {
      await writeFile(path, segments.map(({ file }) => file).join('\n'))
      return { path }
    },
  })()

/** Sets the size and frame count of every plan, in place of a composition file. */
export const compositionStandIn = (frames: number, width = WIDTH, height = HEIGHT): PluginOf<'plugin'> =>
  definePlugin({
    name: '@vid/testkit/composition',
    setup(hooks) {
      hooks.plan.tap('@vid/testkit/composition', (plan) => ({
        ...plan,
        width,
        height,
        frames,
        duration: secondsOf(frames, plan.fps),
      }))
    },
  })()

/** A kernel with the plugin under test; stand-ins fill the other roles. */
export const kernelOf = (setup: Partial<KernelSetup> & { readonly plugins: KernelSetup['plugins'] & object }) =>
  createKernel({ capture: playing([]), encoders: [counting()], ...setup })

/** Opens a render with its plan; it is closed when the test ends, unlike what it shares with others. */
export const openRig = async (
  kernel: ReturnType<typeof kernelOf>,
  request: Partial<RenderRequestInput> = {},
  shared?: SharedPool,
) => {
  const projectDir = request.projectDir ?? (await scratchFolder())
  const checked = checkRequest({
    projectDir,
    output: join(projectDir, 'out'),
    format: kernel.setup.encoders[0]?.formats[0] ?? '',
    ...request,
  })
  const run = await kernel.open({ projectDir, ...(shared && { shared }) })
  onTestFinished(() => run.close())
  return { run, request: checked, plan: await run.plan(checked) }
}
