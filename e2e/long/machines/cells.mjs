// The machines that users have: each differs from the usual one in one way, and a few in two.

/** The usual machine has what every Linux has. */
const USUAL = { ffmpeg: 'embedded', sandbox: 'util-linux' }

/** Without a sandbox, this is warned of. */
const OPEN = ['VID_MEDIA_SANDBOX_OFF', 'VID_SANDBOX_OFF']

const tmpfs = (folder, options) => `mount -t tmpfs -o mode=1777,${options} none "${folder}"`
const smallScratch = ({ scratch }) => tmpfs(scratch, 'size=1m')
const smallMemory = () => tmpfs('/dev/shm', 'size=64m')
const noLockedMemory = () => ['ulimit -l 0']
const readOnlyHome = ({ home }) => [tmpfs(home, 'ro')]

/** Machines that every Linux can be made to be: npm run e2e tries those that are marked. */
const common = [
  { name: 'the usual one', isTested: true },
  { name: 'no sandbox', sandbox: 'none', warns: OPEN },
  { name: 'another user', asOtherUser: true },
  // For a user who is not root, Chromium makes its sandbox itself.
  { name: 'another user, no sandbox', asOtherUser: true, sandbox: 'none', warns: ['VID_MEDIA_SANDBOX_OFF'] },
  { name: 'no locked memory', lines: noLockedMemory },
  { name: 'a read-only home', lines: readOnlyHome },
  {
    name: 'a read-only home, another user, no locked memory',
    isTested: true,
    asOtherUser: true,
    lines: (folders) => [...readOnlyHome(folders), ...noLockedMemory()],
  },
  {
    name: 'a cache on noexec',
    isTested: true,
    lines: ({ home }) => [tmpfs(home, 'noexec')],
    fails: { code: 'VID_BROWSER_NOT_EXECUTABLE', says: /noexec.*VID_CACHE_DIR/s },
    doctor: ['browser'],
  },
  {
    name: 'a TMPDIR of 1 MiB',
    lines: (folders) => [smallScratch(folders)],
    fails: { code: 'VID_FFMPEG_FAILED', says: /No space left on device.*a full disk/s, of: 'hello' },
    doctor: ['scratch folder'],
  },
  { name: 'a /dev/shm of 64 MiB', lines: () => [smallMemory()] },
  {
    name: 'a TMPDIR of 1 MiB, a /dev/shm of 64 MiB',
    isTested: true,
    lines: (folders) => [smallScratch(folders), smallMemory()],
    fails: { code: 'VID_BROWSER_CRASHED|VID_PAGE_CRASHED|VID_PAGE_STARVED', says: /only \d MB are free in .*TMPDIR/s },
    doctor: ['scratch folder'],
  },
  { name: 'a Turkish locale', env: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', LANGUAGE: 'tr' } },
  { name: 'a German locale', env: { LANG: 'de_DE.UTF-8', LC_NUMERIC: 'de_DE.UTF-8' } },
  { name: 'the locale POSIX', env: { LC_ALL: 'POSIX' } },
  { name: 'a time zone', env: { TZ: 'Pacific/Chatham' } },
  {
    name: 'a Turkish locale, a time zone, no sandbox',
    isTested: true,
    sandbox: 'none',
    warns: OPEN,
    env: { LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Chatham' },
  },
  {
    name: 'the locale POSIX, a /dev/shm of 64 MiB',
    isTested: true,
    lines: () => [smallMemory()],
    env: { LC_ALL: 'POSIX' },
  },
  { name: 'busy cores', isBusy: true },
]

const system = { ffmpeg: 'system' }
const bubblewrap = { sandbox: 'bubblewrap' }

/** Machines with programs of the distribution, or of npm. */
const furnished = [
  { name: 'bubblewrap', ...bubblewrap },
  { name: "the system's ffmpeg", ...system },
  { name: "the system's ffmpeg, bubblewrap", ...system, ...bubblewrap },
  { name: "the system's ffmpeg, no sandbox", ...system, sandbox: 'none', warns: OPEN },
  { name: "the system's ffmpeg, bubblewrap, no locked memory", ...system, ...bubblewrap, lines: noLockedMemory },
  { name: 'another user, bubblewrap', asOtherUser: true, ...bubblewrap },
  { name: "another user, the system's ffmpeg, bubblewrap", asOtherUser: true, ...system, ...bubblewrap },
  { name: 'Node 20.19', node: '20.19' },
  { name: 'Node 22', node: '22' },
  { name: 'Node 24', node: '24' },
  { name: 'the newest Node', node: 'newest' },
  { name: 'the newest Node, another user', node: 'newest', asOtherUser: true },
]

/**
 * The table. `lines` are of a shell, run as root before the command. What is true there: `warns` has the codes of warnings,
 * `doctor` the required checks that fail, and `fails` the code with which renders end and what it says, or those `of` one
 * composition.
 */
export const cells = [...common, ...furnished].map((cell) => ({ ...USUAL, ...cell }))
