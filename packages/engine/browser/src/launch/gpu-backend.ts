import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Chromium's graphics backends. SwiftShader draws on the processor. */
export const gpuBackends = ['vulkan', 'gl-egl', 'metal', 'd3d11', 'swiftshader'] as const

/** One of them; all but `swiftshader` must reach real hardware. */
export type GpuBackend = (typeof gpuBackends)[number]

/** The backends to try on a system, the preferred first. */
export const backendsOf = (platform: NodeJS.Platform): readonly GpuBackend[] => {
  if (platform === 'darwin') return ['metal']
  return platform === 'win32' ? ['d3d11'] : ['vulkan', 'gl-egl']
}

/** GPU device files on Linux: Mesa and most others, NVIDIA, WSL. */
const DEVICES: readonly (readonly [string, RegExp])[] = [
  ['dev/dri', /^renderD\d+$/],
  ['dev', /^(nvidia\d+|dxg)$/],
]

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const hasDevice = (root: string): boolean =>
  DEVICES.some(([folder, pattern]) => namesIn(join(root, folder)).some((name) => pattern.test(name)))

/** Files that Docker and Podman put into their containers. */
const CONTAINER_FILES = ['.dockerenv', 'run/.containerenv'] as const

const isContainer = (env: NodeJS.ProcessEnv, root: string): boolean =>
  Boolean(env.container || env.KUBERNETES_SERVICE_HOST) || CONTAINER_FILES.some((file) => existsSync(join(root, file)))

/** The reason why no GPU is searched for on this machine unless a caller requires one; undefined if one is. */
export const reasonAgainstGpu = (
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  root = '/',
): string | undefined => {
  if (isContainer(env, root)) return 'this is a container, where pages are drawn alike everywhere'
  return platform === 'linux' && !hasDevice(root) ? 'this machine has no device of a GPU' : undefined
}

/** Variables with which GPU drivers find their libraries. */
const DRIVER_VARIABLES = [
  'VK_DRIVER_FILES',
  'VK_ICD_FILENAMES',
  'VK_ADD_DRIVER_FILES',
  '__EGL_VENDOR_LIBRARY_FILENAMES',
  '__EGL_VENDOR_LIBRARY_DIRS',
  'LIBGL_DRIVERS_PATH',
  'GBM_BACKENDS_PATH',
] as const

/** The driver variables that are set, for a browser that draws on a GPU. */
export const gpuVariables = (env: NodeJS.ProcessEnv = process.env): Record<string, string> =>
  Object.fromEntries(
    DRIVER_VARIABLES.flatMap((name) => {
      const value = env[name]
      return value ? [[name, value]] : []
    }),
  )
