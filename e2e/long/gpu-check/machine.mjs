// What a machine has that drawing on a GPU depends on: devices, drivers, libraries, rights.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'

/** What a program prints, or why it prints nothing. */
export const say = (program, ...args) => {
  const { error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000 })
  return error ? `(${error.message})` : `${stdout}${stderr}`.trim()
}

const list = (folder, pattern) => {
  try {
    return readdirSync(folder)
      .filter((name) => pattern.test(name))
      .map((name) => `${folder}/${name}`)
  } catch {
    return [] // There is none.
  }
}

const ICD_FOLDERS = [
  '/usr/share/vulkan/icd.d',
  '/etc/vulkan/icd.d',
  '/usr/local/share/vulkan/icd.d',
  '/usr/share/glvnd/egl_vendor.d',
  '/etc/glvnd/egl_vendor.d',
  '/usr/local/nvidia/share/vulkan/icd.d',
  '/usr/local/nvidia/share/glvnd/egl_vendor.d',
]

const VARIABLES =
  /^(VK_|__EGL|__GLX|__NV|LIBGL|GBM_|DRI_|MESA_|NVIDIA_|CUDA_|EGL_|LD_LIBRARY_PATH|DISPLAY|WAYLAND_|XDG_)/

const versionOfSystem = () => {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  } catch {
    return undefined // Only Linux has the file.
  }
}

/** Writes down what the machine is and has. */
export const reportMachine = ({ fact, output }) => {
  fact('system', `${process.platform} ${process.arch}, ${versionOfSystem() ?? ''}, kernel ${release()}`)
  fact('processor', `${cpus()[0]?.model}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`)
  fact('Node', `${process.version}, user ${process.getuid?.() ?? 'unknown'}`)
  const marks = ['/.dockerenv', '/run/.containerenv'].filter((file) => existsSync(file))
  fact('signs of a container', marks.join(' ') || 'none')
  const devices = [...list('/dev/dri', /./), ...list('/dev', /^(nvidia|dxg|kfd)/)]
  fact('devices', devices.join(' ') || 'none')
  const drivers = ICD_FOLDERS.flatMap((folder) => list(folder, /\.json$/))
  fact('files that name drivers', drivers.join(' ') || 'none')
  const variables = Object.entries(process.env).filter(([name]) => VARIABLES.test(name))
  fact('variables', variables.map(([name, value]) => `${name}=${value}`).join(' ') || 'none')
  if (process.platform !== 'linux') return
  const libraries = say('ldconfig', '-p').split('\n')
  const graphics = libraries.filter((line) => /lib(vulkan|EGL|GLESv2|GLX_|GL|gbm|cuda|drm)[_.a-z]*\.so/i.test(line))
  output(`libraries:\n${graphics.join('\n')}`)
  output(`nvidia-smi:\n${say('nvidia-smi')}`)
}
