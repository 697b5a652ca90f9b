import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  checkRequest,
  createKernel,
  defineCapture,
  defineEncoder,
  definePlugin,
  type KernelSetup,
  type PluginOf,
  type RenderRequestInput,
} from '@vid/kernel'
import { onTestFinished } from 'vitest'
import { framesOf, madeFormats, type Picture } from './pictures.ts'

/** Size of what the suites render, in pixels. */
export const [WIDTH, HEIGHT] = [64, 48]

/** A folder that is removed when the test ends. */
export const scratchFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-testkit-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A capture engine that plays pictures. */
export const playing = (pictures: readonly Picture[]): PluginOf<'capture'> =>
  defineCapture({
    name: '@vid/testkit/capture',
    build: async () => 'testkit',
    open: async ({ width, height }) => ({
      probe: async () => ({ duration: null, stateful: false, media: [] }),
      frames({ start, frames }, accepts) {
        const format = accepts.find((accepted) => madeFormats.includes(accepted)) ?? 'png'
        return framesOf(pictures.slice(start, start + frames), start, format, width, height)
      },
      close: async () => {},
    }),
  })()

/** An encoder that reads its frames and notes how many they were. */
export const counting = (): PluginOf<'encoder'> =>
  defineEncoder({
    name: '@vid/testkit/encoder',
    formats: ['count'],
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

/** A composition of so many frames of that size, without a file to read it from. */
export const composition = (frames: number, width = WIDTH, height = HEIGHT): PluginOf<'plugin'> =>
  definePlugin({
    name: '@vid/testkit/composition',
    setup(hooks) {
      hooks.plan.tap('@vid/testkit/composition', (plan) => ({
        ...plan,
        width,
        height,
        frames,
        duration: frames / plan.fps,
      }))
    },
  })()

/** A kernel around the plugin under test; the other roles are played by stand-ins. */
export const kernelOf = (
  setup: Partial<KernelSetup> & { readonly plugins: KernelSetup['plugins'] & object },
) => createKernel({ capture: playing([]), encoders: [counting()], ...setup })

/** An open render that is closed when the test ends, with its plan. */
export const openRig = async (
  kernel: ReturnType<typeof kernelOf>,
  request: Partial<RenderRequestInput> = {},
) => {
  const projectDir = request.projectDir ?? (await scratchFolder())
  const checked = checkRequest({
    projectDir,
    output: join(projectDir, 'out'),
    format: kernel.setup.encoders[0]?.formats[0] ?? '',
    ...request,
  })
  const run = await kernel.open({ projectDir })
  onTestFinished(() => run.close())
  return { run, request: checked, plan: await run.plan(checked) }
}
