import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backendsOf, gpuVariables, reasonAgainstGpu } from './gpu-backend.ts'

/** A root of the file system that holds only these files. */
const rootWith = async (...files: string[]): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'root-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), '')
  }
  return root
}

test.each([{ container: 'podman' }, { KUBERNETES_SERVICE_HOST: '10.0.0.1' }])(
  'in a container (%o), no GPU is looked for',
  async (env) => {
    expect(reasonAgainstGpu('darwin', env, await rootWith('etc/fstab'))).toMatch(/container/)
  },
)

test.each(['dev/dri/renderD128', 'dev/nvidia0', 'dev/dxg'])(
  'on Linux, a GPU is looked for where there is %s',
  async (device) => {
    expect(reasonAgainstGpu('linux', {}, await rootWith(device))).toBeUndefined()
  },
)

test.each(['dev/null', 'dev/dri/card0', 'dev/nvidiactl', 'etc/fstab'])(
  'on Linux, no GPU is looked for where there is only %s',
  async (device) => {
    expect(reasonAgainstGpu('linux', {}, await rootWith(device))).toMatch(/no device/)
  },
)

test.each(['.dockerenv', 'run/.containerenv'])(
  'a container is known by its /%s, whatever its devices',
  async (file) => {
    expect(reasonAgainstGpu('linux', {}, await rootWith(file, 'dev/nvidia0'))).toMatch(/container/)
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
