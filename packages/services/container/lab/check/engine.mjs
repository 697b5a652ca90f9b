// Podman as the checks use it: installed where it is missing, with a storage of its own and a base image of Debian's packages.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Name of the base image in the storage of the checks. */
export const BASE_IMAGE = 'localhost/debian:bookworm-slim'

/** What the slim images of Debian leave out too. */
const LEFT_OUT = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/info',
  'usr/share/locale',
  'var/lib/apt/lists',
  'var/cache/apt',
  'var/log',
]

const has = (program) => spawnSync('which', [program], { stdio: 'ignore' }).status === 0

const install = () => {
  const missing = ['podman', 'runc', 'debootstrap'].filter((program) => !has(program))
  if (missing.length === 0) return
  execFileSync('apt-get', ['update'], { stdio: 'ignore' })
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { stdio: 'ignore' })
}

/** The variables by which podman keeps everything of the checks in one folder. */
const settle = (work) => {
  const containers = join(work, 'containers.conf')
  const storage = join(work, 'storage.conf')
  // Of a machine without systemd; files and tasks as far as one without every right may set them.
  const lines = ['[containers]', 'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]']
  writeFileSync(
    containers,
    [...lines, '[engine]', 'runtime = "runc"', 'cgroup_manager = "cgroupfs"', 'events_logger = "file"', ''].join('\n'),
  )
  const driver = process.env.STORAGE_DRIVER ?? 'overlay'
  const folders = [`graphroot = "${work}/${driver}"`, `runroot = "${work}/${driver}-run"`]
  writeFileSync(storage, ['[storage]', `driver = "${driver}"`, ...folders, ''].join('\n'))
  const { STORAGE_DRIVER: _driver, ...env } = process.env
  return {
    ...env,
    VID_CONTAINER_ENGINE: 'podman',
    CONTAINERS_CONF: containers,
    CONTAINERS_STORAGE_CONF: storage,
  }
}

/** Runs podman and returns what it writes; fails with what it says. */
export const podman = (env, ...words) => {
  const { status, stdout, stderr } = spawnSync('podman', words, {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  if (status !== 0) throw new Error(`podman ${words[0]}: ${stderr.trim()}`)
  return stdout.trim()
}

const makeBase = (work, env) => {
  if (spawnSync('podman', ['image', 'exists', BASE_IMAGE], { env }).status === 0) return
  const root = join(work, 'debian')
  if (!existsSync(join(root, 'usr/bin/env'))) {
    rmSync(root, { recursive: true, force: true })
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', root], { stdio: 'ignore' })
  }
  for (const folder of LEFT_OUT) rmSync(join(root, folder), { recursive: true, force: true })
  for (const folder of ['var/lib/apt/lists', 'var/cache/apt', 'var/log'])
    mkdirSync(join(root, folder), { recursive: true })
  const archive = join(work, 'debian.tar')
  execFileSync('tar', ['--sort=name', '--mtime=@315532800', '-C', root, '-cf', archive, '.'])
  podman(env, 'import', archive, BASE_IMAGE)
  rmSync(archive)
}

/** Makes podman and the base image ready in a folder; returns the environment for vid. */
export const openEngine = (work) => {
  mkdirSync(work, { recursive: true })
  install()
  const env = settle(work)
  makeBase(work, env)
  return env
}
