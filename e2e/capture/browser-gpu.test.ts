import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findBrowser } from '@vid/browser'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { greyFrames, shownNumber } from '../support/pixels.ts'
import { descendants, here, printed, scratch, start, vid, vidInProcess } from '../support/vid.ts'

/** A copy of a project that is drawn through SwiftShader: the processor in the place of a GPU, by a GPU's whole path. */
const projectOn = async (gpuBackend: string): Promise<string> => {
  const folder = join(await scratch(), 'project')
  await cp(here('projects/frame-number'), folder, { recursive: true })
  await rm(join(folder, 'vid.config.mjs'))
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  const config = `import capture from '@vid/capture-puppeteer'
import { defineConfig } from '@vid/config'

export default defineConfig({ capture: capture({ gpuBackend: '${gpuBackend}' }), render: { segmentFrames: 5 } })
`
  await writeFile(join(folder, 'vid.config.ts'), config)
  return folder
}

/** Frames of three segments. */
const FRAMES = 15
const PART = ['--to', `${FRAMES}f`, '--crf', '0']

const planOf = async (folder: string, ...flags: string[]) => {
  const run = await vidInProcess(['inspect', folder, '--json', ...PART, ...flags])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '')
}

longTest(
  'frames drawn on a GPU are those that the processor draws, twice the same, also when its process is killed',
  async () => {
    const folder = await projectOn('swiftshader')
    const render = (name: string, ...flags: string[]) => ['render', folder, '-o', join(folder, name), ...flags]
    const one = await vidInProcess(render('one.mp4', ...PART, '--browser-gpu', '-w', '1'))
    expect(one, one.stderr).toMatchObject({ code: 0 })
    const expected = await readFile(join(folder, 'one.mp4'))
    const numbers = (await greyFrames(join(folder, 'one.mp4'))).map((frame) => shownNumber(frame))
    expect(numbers).toEqual(Array.from({ length: FRAMES }, (_, frame) => frame))

    const disturbed = start(render('two.mp4', ...PART, '--browser-gpu', '-w', '1', '--json'))
    await printed(disturbed, /"framesRendered":[1-9]/)
    const drawing = (await descendants(disturbed.child.pid)).find(({ command }) =>
      command.includes('--type=gpu-process'),
    )
    if (drawing) process.kill(drawing.pid, 'SIGKILL')
    const two = await disturbed.done
    expect(drawing, 'the render ended before its GPU was lost').toBeDefined()
    expect(two, two.stderr).toMatchObject({ code: 0 })
    expect(two.stdout).toContain('VID_SEGMENT_RETRIED')
    expect(two.stdout).toContain('The GPU was lost')
    expect((await readFile(join(folder, 'two.mp4'))).equals(expected)).toBe(true)
  },
)

test('the plan names the GPU, and no segment of it is reused without it', async () => {
  const folder = await projectOn('swiftshader')
  const on = await planOf(folder)
  const off = await planOf(folder, '--no-browser-gpu')
  expect(on.plan.capture.settings).toEqual({ gpu: true, raster: 'native' })
  expect(on.plan.capture.build).toMatch(/, GPU .*SwiftShader.*, driver SwANGLE [\d.]+, /)
  expect(on.notes).toEqual([expect.stringMatching(/known page .* dB PSNR/)])
  expect(on.planHash).not.toBe(off.planHash)
  expect(off.plan.capture.build).toBe(on.plan.capture.build.split(', GPU ')[0])

  const reused = async (name: string, ...flags: string[]) => {
    const args = ['render', folder, '-o', join(folder, name), ...PART, '--json', ...flags]
    const run = await vidInProcess(args, { env: { VID_CACHE: 'on' } })
    expect(run, run.stderr).toMatchObject({ code: 0 })
    return run.stdout.match(/"type":"segment-complete".*"reused":/g)?.length ?? 0
  }
  expect(await reused('on.mp4')).toBe(0)
  expect(await reused('off.mp4', '--no-browser-gpu')).toBe(0)
  expect(await reused('again.mp4', '--browser-gpu')).toBe(3)
})

test('a processor behind a real way to a GPU is refused by its name, or left out with a reason', async () => {
  const folder = await projectOn('vulkan')
  const { path } = await findBrowser()
  const icd = join(dirname(path), 'vk_swiftshader_icd.json')
  const env = { VK_DRIVER_FILES: icd, VK_ICD_FILENAMES: icd }
  const args = ['render', folder, '-o', join(folder, 'out.mp4'), ...PART, '--browser-gpu']
  const refused = await vid(args, { env })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/error VID_BROWSER_GPU_UNAVAILABLE: .*vulkan: .*SwiftShader.* is software/)
  await expect(readFile(join(folder, 'out.mp4'))).rejects.toThrow(/ENOENT/)

  const left = await vid(['inspect', folder, ...PART], { env })
  expect(left.stdout).toMatch(/note +no GPU: vulkan: .*SwiftShader.* is software/)
  expect(left.stdout).not.toContain(', GPU ')
  const plan = async (...flags: string[]) => (await planOf(folder, ...flags)).planHash
  expect(await plan()).toBe(await plan('--no-browser-gpu'))
})
