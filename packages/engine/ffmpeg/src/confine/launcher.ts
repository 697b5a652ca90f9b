import { existsSync, readFileSync, statSync } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Launch } from '../tools/spawn.ts'

/** What a confined program can reach of the machine: everything else, the network included, is absent. */
export interface Reach {
  /** Absolute path of the program. */
  readonly program: string
  /** Absolute path of the one file that it may read. */
  readonly reads?: string
  /** Absolute path of the one folder that it may write to. */
  readonly writes?: string
}

/** A file or folder as a confined program sees it, under the same path. */
interface Bind {
  readonly source: string
  readonly target: string
  readonly mode: 'read' | 'write' | 'run' | 'device'
}

/** A program of the machine that makes sandboxes. */
export interface Launcher {
  readonly name: string
  readonly path: string
  prepare(path: string, binds: readonly Bind[]): Launch
}

/** Folders with the libraries of a system's programs; nothing in them belongs to a user. */
const LIBRARIES = ['/usr', '/lib', '/lib64', '/lib32', '/etc/ld.so.cache', '/etc/alternatives', '/nix/store']

/** Devices without which a program does not start: they hold nothing. */
const DEVICES = ['/dev/null', '/dev/urandom', '/dev/random']

/** What says how many processors there are: without it, decoders use one, and meet other damage before they end. */
const PROCESSORS = '/proc/stat'

/** A program that loads libraries names the loader near its beginning. */
const LOADER = /\/ld[-\w.]*\.so/
const HEAD_BYTES = 4096

const loadsLibraries = async (program: string): Promise<boolean> => {
  await using handle = await open(program)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return LOADER.test(buffer.toString('latin1', 0, bytesRead))
}

const bindsOf = async ({ program, reads, writes }: Reach): Promise<readonly Bind[]> => {
  const libraries = (await loadsLibraries(program)) ? LIBRARIES.filter((path) => existsSync(path)) : []
  const paths: (readonly [string | undefined, Bind['mode']])[] = [
    ...libraries.map((path) => [path, 'run'] as const),
    ...DEVICES.map((path) => [path, 'device'] as const),
    [existsSync(PROCESSORS) ? PROCESSORS : undefined, 'read'],
    [program, 'run'],
    [writes, 'write'],
    [reads, 'read'],
  ]
  return Promise.all(
    paths.flatMap(([target, mode]) =>
      target === undefined ? [] : [realpath(target).then((source) => ({ source, target, mode }))],
    ),
  )
}

const BUBBLEWRAP_BINDS = { read: '--ro-bind', run: '--ro-bind', write: '--bind', device: '--dev-bind' }

/** bubblewrap also filters system calls and moves the program to a root of its own. */
const bubblewrap = (filter: Uint8Array | undefined): Omit<Launcher, 'path'> => ({
  name: 'bwrap',
  prepare: (path, binds) => ({
    words: [
      path,
      '--unshare-all',
      '--unshare-user',
      '--uid',
      '65534',
      '--gid',
      '65534',
      '--cap-drop',
      'ALL',
      '--die-with-parent',
      '--new-session',
      '--hostname',
      'vid',
      ...(filter ? ['--seccomp', '3'] : []),
      ...binds.flatMap(({ source, target, mode }) => [BUBBLEWRAP_BINDS[mode], source, target]),
      '--remount-ro',
      '/',
      '--chdir',
      '/',
      '--',
    ],
    ...(filter && { filter }),
  }),
})

/**
 * Mounts what a program may reach below /sys, which only this mount namespace sees, and starts it there as a user
 * without rights. It does nothing outside of a user namespace with one user, which an unshare that is none does not make.
 * One mount program reads the whole table: each start of a program takes a millisecond or more.
 */
const SCRIPT = `
read -r _ _ users < /proc/self/uid_map
[ "$users" = 1 ] || exit 125
mount -t tmpfs -o mode=755,size=1m,nosuid,nodev vid /sys
table=$1; shift
while [ "$1" != -- ]; do
  kind=$1 target=/sys$2; shift 2
  if [ "$kind" = folder ]; then parent=$target; else parent=\${target%/*}; fi
  [ -d "$parent" ] || mkdir -p "$parent"
  [ "$kind" = folder ] || : > "$target"
done
shift
printf %s "$table" > /sys/.mounts
mount -a -T /sys/.mounts
rm /sys/.mounts
mount -o remount,bind,ro,nosuid,nodev /sys
exec setpriv --no-new-privs -- unshare --user --map-user=65534 --map-group=65534 --root=/sys --wd=/ -- "$@"
`

const NAMESPACES = ['--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts']

const MOUNT_FLAGS = {
  read: 'ro,nosuid,nodev,noexec',
  run: 'ro,nosuid,nodev',
  write: 'nosuid,nodev,noexec',
  device: 'nosuid,noexec',
}

/** A path as a table of mounts has it. */
const inTable = (path: string): string =>
  path.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)

/** Where mounts of this machine are, and how each keeps times of access: a mount in a namespace may not keep them otherwise. */
const readMounts = (): readonly { readonly point: string; readonly times: string }[] =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, , , , point, options] = line.split(' ')
      if (point === undefined || options === undefined) return []
      const times = options.split(',').filter((option) => /atime$/.test(option))
      const path = point.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
      return [{ point: path, times: times.join() || 'strictatime' }]
    })

const tableOf = (binds: readonly Bind[]): string => {
  const mounts = readMounts()
  const timesOf = (source: string) =>
    mounts
      .filter(({ point }) => source === point || source.startsWith(point === '/' ? '/' : `${point}/`))
      // Of those at one place, the last covers the others.
      .reduce((deepest, mount) => (mount.point.length >= deepest.point.length ? mount : deepest), {
        point: '',
        times: 'relatime',
      }).times
  return binds
    .map(({ source, target, mode }) => {
      const flags = `bind,${MOUNT_FLAGS[mode]},${timesOf(source)}`
      return `${inTable(source)} ${inTable(`/sys${target}`)} none ${flags} 0 0\n`
    })
    .join('')
}

/** util-linux is part of nearly every Linux; it filters no system calls. */
const utilLinux: Omit<Launcher, 'path'> = {
  name: 'unshare',
  prepare: (path, binds) => ({
    words: [
      path,
      ...NAMESPACES,
      '--fork',
      '--kill-child=KILL',
      '--',
      'sh',
      '-ec',
      SCRIPT,
      'sh',
      tableOf(binds),
      ...binds.flatMap(({ source, target }) => [statSync(source).isDirectory() ? 'folder' : 'file', target]),
      '--',
    ],
  }),
}

/** Launchers that are installed on this machine, the strongest first. */
export const findLaunchers = (
  filter: Uint8Array | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly Launcher[] =>
  [bubblewrap(filter), utilLinux].flatMap((launcher) => {
    const folder = (env.PATH ?? '')
      .split(delimiter)
      .find((folder) => folder.startsWith('/') && existsSync(join(folder, launcher.name)))
    return folder === undefined ? [] : [{ ...launcher, path: join(folder, launcher.name) }]
  })

/** How `launcher` starts a program that can reach only `reach`. */
export const launchOf = async ({ path, prepare }: Launcher, reach: Reach): Promise<Launch> =>
  prepare(path, await bindsOf(reach))
