import { expect, test, vi } from 'vitest'
import { nvidiaInfo as info } from '../fixtures/gpu-info.ts'
import { fakeTimers, passTimeUntil } from '../fixtures/passing-time.ts'
import { readGpu } from './gpu-report.ts'

/** A browser that draws on a GPU, with parts of what it says replaced. */
const browser = (changes: { readonly [K in keyof typeof info]?: Partial<(typeof info)[K]> } = {}) => {
  const gpu = {
    devices: changes.devices ?? info.devices,
    auxAttributes: { ...info.auxAttributes, ...changes.auxAttributes },
    featureStatus: { ...info.featureStatus, ...changes.featureStatus },
  }
  const processInfo = [
    { type: 'browser', id: 7, cpuTime: 0 },
    { type: 'GPU', id: 9, cpuTime: 0 },
  ]
  return {
    send: async (method: string) => (method === 'SystemInfo.getInfo' ? { gpu } : { processInfo }),
  }
}

test('a GPU is named with its vendor, renderer and driver, and by the process that draws on it', async () => {
  expect(await readGpu(browser(), 'vulkan')).toEqual({
    name: 'Google Inc. (NVIDIA), ANGLE (NVIDIA, Vulkan 1.3.277 (NVIDIA L4 (0x27B8))), driver NVIDIA 550.54.15, GaneshGL',
    process: 9,
  })
})

test.each([
  'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver-5.0.0)',
  'ANGLE (Mesa, llvmpipe (LLVM 15.0.7, 256 bits), OpenGL 4.5)',
  'ANGLE (Microsoft, Microsoft Basic Render Driver (0x0000008C) Direct3D11 vs_5_0 ps_5_0, D3D11)',
])('a processor in the place of a GPU is refused by its name: %s', async (glRenderer) => {
  const reason = `its renderer ${glRenderer} is software`
  expect(await readGpu(browser({ auxAttributes: { glRenderer } }), 'gl-egl')).toEqual({ reason })
})

test('SwiftShader is a GPU only to a caller that names it', async () => {
  const auxAttributes = { glRenderer: 'ANGLE (Google, SwiftShader)' }
  expect(await readGpu(browser({ auxAttributes }), 'swiftshader')).toMatchObject({ process: 9 })
})

test.each<[string, Parameters<typeof browser>[0]]>([
  ['composites by the processor', { featureStatus: { gpu_compositing: 'disabled_software' } }],
  ['draws tiles by the processor', { featureStatus: { rasterization: 'disabled_off' } }],
  ['has no drawing library for it', { auxAttributes: { skiaBackendType: 'None' } }],
  ['has none', { auxAttributes: { glRenderer: '' } }],
])('a browser that %s does not draw on a GPU, although it runs', async (_, changes) => {
  expect(await readGpu(browser(changes), 'vulkan')).toMatchObject({
    reason: expect.stringMatching(/browser/),
  })
})

test('a browser that cannot be asked has no GPU, for a reason', async () => {
  const send = async () => Promise.reject(new Error('no such command'))
  expect(await readGpu({ send }, 'vulkan')).toEqual({ reason: 'no such command' })
  expect(await readGpu({ send: async () => ({}) }, 'vulkan')).toHaveProperty('reason')
  expect(await readGpu(undefined, 'vulkan')).toHaveProperty('reason')
})

test('a browser that waits for its driver is not waited for longer than that takes', async () => {
  fakeTimers()
  try {
    const report = readGpu({ send: () => new Promise(() => {}) }, 'vulkan')
    await passTimeUntil(report)
    expect(await report).toEqual({ reason: 'the browser does not answer' })
  } finally {
    vi.useRealTimers()
  }
})
