import { expect, test } from 'vitest'
import { backendsOf, gpuVariables, reasonAgainstGpu } from './gpu-backend.ts'

test.each([{ container: 'podman' }, { KUBERNETES_SERVICE_HOST: '10.0.0.1' }])(
  'in a container (%o), no GPU is looked for',
  (env) => {
    expect(reasonAgainstGpu('darwin', env)).toMatch(/container/)
  },
)

test('SwiftShader is tried on no system: it is the processor', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    expect(backendsOf(platform).length).toBeGreaterThan(0)
    expect(backendsOf(platform)).not.toContain('swiftshader')
  }
})

test('the browser gets the variables of GPU drivers that are set, and no others', () => {
  const env = { VK_DRIVER_FILES: '/a.json', LIBGL_DRIVERS_PATH: '', TOKEN: 'secret' }
  expect(gpuVariables(env)).toEqual({ VK_DRIVER_FILES: '/a.json' })
})
