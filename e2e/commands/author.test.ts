import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pluginRoles } from '@vid/cli'
import { decodeFrames } from '@vid/ffmpeg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longTest, partOf } from '../../scripts/dev/part-of.ts'
import { webpFrames } from '../projects/author/webp-frames.ts'
import { testCommandAlone } from '../support/command-alone.ts'
import { writeTone } from '../support/sound.ts'
import { completeToolkit, installToolkit, type Line, outside, packToolkit, runLines } from '../support/toolkit.ts'
import { testUserPrograms, USER_TYPES } from '../support/user-programs.ts'
import { type Finished, here } from '../support/vid.ts'

let packs: string
let folder: string
let project: string
const tool = (name: string) => join(folder, 'node_modules/.bin', name)

beforeAll(async () => {
  packs = await packToolkit()
  folder = await installToolkit(packs, ['@vid/cli'])
}, 600_000)
afterAll(async () => {
  for (const path of [folder, packs]) await rm(path, { recursive: true, force: true })
})

const pixel = (frame: Uint8Array, width: number, x: number, y: number) =>
  Array.from(frame.subarray((y * width + x) * 4, (y * width + x) * 4 + 3))
const all = async (frames: AsyncIterable<Uint8Array>) => {
  const list: Uint8Array[] = []
  for await (const frame of frames) list.push(frame)
  return list
}
const near = (colour: readonly number[], expected: readonly number[]) =>
  colour.every((value, channel) => Math.abs(value - (expected[channel] ?? 0)) <= 16)

/** The last event of a command line that was run with `--json`. */
const eventOf = ({ stdout }: Finished) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>

interface Inspected {
  readonly plan: { readonly capture: { name: string }; readonly fps: number; readonly variables: object }
  readonly config: Readonly<Record<string, { readonly value: unknown; readonly source: string }>>
}
const inspected = (answer: Finished) => eventOf(answer) as unknown as Inspected
const INSPECT = ['inspect', 'example', '--json']

/** What the config of a new package must lead to: command lines after its render, and what they answer. */
interface Effect {
  /** Files that the command lines read, by name. */
  readonly files?: (dir: string) => Promise<void>
  readonly lines?: readonly (readonly string[])[]
  readonly check?: (dir: string, answers: readonly Finished[], rendered: Finished) => void | Promise<void>
}

const effects: Record<keyof typeof pluginRoles, Effect> = {
  capture: {
    lines: [INSPECT],
    check: (_, [answer]) => expect(inspected(answer as Finished).plan.capture.name).toBe('vid-capture-first-try'),
  },
  encoder: {},
  store: {
    lines: [['render', 'example', '--json']],
    check(_, [again], rendered) {
      expect(rendered.stderr).not.toContain('reused')
      expect(again?.stdout).toContain('"reused":"the same inputs"')
    },
  },
  target: {
    lines: [[...INSPECT, '--no-plan']],
    check: (_, [answer]) => expect(inspected(answer as Finished).config.target?.value).toBe('first-try'),
  },
  delivery: {
    async check(dir) {
      const copy = await readFile(join(dir, 'copies/example.mp4'))
      expect(copy.equals(await readFile(join(dir, 'renders/example.mp4')))).toBe(true)
    },
  },
  plugin: {
    lines: [INSPECT],
    check: (_, [answer]) =>
      expect(inspected(answer as Finished).plan.variables).toEqual({ year: new Date().getFullYear() }),
  },
  command: {
    lines: [['first-try', 'example', '--json'], ['--help'], ['completion', 'bash'], ['first-try', '--form=1']],
    check(_, [listed, help, completion, wrong]) {
      expect(eventOf(listed as Finished)).toEqual({ type: 'first-try', starts: [0] })
      expect(help?.stdout).toContain('vid-command-first-try:\n  vid first-try  list the clips of a composition\n')
      expect(completion?.stdout).toContain('"first-try") COMPREPLY=($(compgen -W "--from --json')
      expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean --from?') })
    },
  },
  check: {
    lines: [['check', 'example', '--rule', 'first-try', '--json']],
    check: (_, [answer]) => expect(eventOf(answer as Finished)).toMatchObject({ type: 'check' }),
  },
  transcriber: {
    files: (dir) => writeTone(join(dir, 'tone.wav'), 440, 1),
    lines: [['captions', 'transcribe', 'tone.wav', '--json']],
    async check(dir, [answer]) {
      expect(eventOf(answer as Finished)).toMatchObject({ plugin: 'vid-transcriber-first-try', cues: 1 })
      expect(await readFile(join(dir, 'tone.vtt'), 'utf8')).toContain('[sound]')
    },
  },
  speaker: {
    files: (dir) => writeFile(join(dir, 'intro.txt'), 'Hello there.'),
    lines: [['captions', 'speak', 'intro.txt', '--json']],
    check: (_, [answer]) =>
      expect(eventOf(answer as Finished)).toMatchObject({
        plugin: 'vid-speaker-first-try',
        cues: 1,
        estimated: false,
      }),
  },
  preset: {
    lines: [INSPECT],
    check(_, [answer]) {
      const { config, plan } = inspected(answer as Finished)
      expect(plan.fps).toBe(60)
      expect(config['render.fps']).toEqual({ value: 60, source: 'preset first-try' })
    },
  },
}

/** Before a render, at its end and meanwhile; the tests of the kernel have every hook. */
const faults: Readonly<Record<string, string>> = {
  setup: 'setup() { throw new Error("no luck") }',
  deliver: 'setup(hooks) { hooks.deliver.tapPromise("any", async () => { throw new Error("no luck") }) }',
  progress: 'setup(hooks) { hooks.progress.tap("any", () => { throw new Error("no luck") }) }',
}

const FAULTY = '@acme/vid-faulty'

/** A copy of the project with a plugin that fails in a hook. */
const copyWithFault = async (hook: string): Promise<string> => {
  const dir = join(folder, `fault-${hook}`)
  await cp(project, dir, { recursive: true })
  const config = (await readFile(join(dir, 'vid.config.ts'), 'utf8'))
    .replace(
      'export default',
      `import { definePlugin } from '@vid/kernel'\nconst faulty = definePlugin({ name: '${FAULTY}', ${faults[hook]} })\nexport default`,
    )
    .replace('watermark({', 'faulty(), watermark({')
  await writeFile(join(dir, 'vid.config.ts'), config)
  return dir
}

/** The project with a plugin made for another version of the contract. */
const copyOfOtherVersion = async (): Promise<string> => {
  const dir = join(folder, 'other-version')
  await mkdir(dir)
  await cp(join(project, 'index.html'), join(dir, 'index.html'))
  await writeFile(
    join(dir, 'vid.config.mjs'),
    `import { definePlugin } from '@vid/kernel'
const old = definePlugin({ name: '@acme/vid-old', setup() {} })
export default { plugins: [{ ...old(), apiVersion: 0 }] }`,
  )
  return dir
}

/** Compiles a folder; one thread needs the least processor time. */
const compile = (dir: string, ...args: string[]) => outside(dir, tool('tsc'), '--singleThreaded', ...args)
/** Runs all tests below a folder. */
const runTests = (dir: string) =>
  outside(dir, tool('vitest'), 'run', '--no-isolate', '--maxWorkers=1', '--reporter=json')

/** What vitest reports of a test file. */
interface Tested {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly { readonly fullName: string; readonly failureMessages: readonly string[] }[]
}

/** Whether test files have passed, with what failed in them. */
const outcomesOf = (files: readonly Tested[]) =>
  files.map(({ status, message, assertionResults }) => [
    status,
    ...(message === '' ? [] : [message]),
    ...assertionResults.flatMap(({ fullName, failureMessages }) =>
      failureMessages.map((text) => `${fullName}: ${text}`),
    ),
  ])

const roles = partOf(Object.keys(pluginRoles) as (keyof typeof pluginRoles)[], 5)

const testAllPackages = () => {
  /** What command lines in the project and in copies of it have answered, by name. */
  const answered = new Map<string, Finished>()

  beforeAll(async () => {
    await completeToolkit(folder, packs)
    project = join(folder, 'project')
    await cp(here('projects/author'), project, { recursive: true })
    const variables = JSON.stringify({ colour: '#00aa00', mark: '#000000' })
    const lines: Record<string, Line> = {
      'other version': { words: ['render'], cwd: await copyOfOtherVersion() },
      ...Object.fromEntries(
        await Promise.all(
          Object.keys(faults).map(async (hook) => [
            hook,
            { words: ['render', '--json'], cwd: await copyWithFault(hook) },
          ]),
        ),
      ),
      render: { words: ['render'], cwd: project },
      inspect: { words: ['inspect', '--json', '--variables', variables], cwd: project },
    }
    const finished = await runLines(folder, Object.values(lines))
    for (const [index, name] of Object.keys(lines).entries()) answered.set(name, finished[index] as Finished)
    await rename(join(project, 'encoder-webp.suite.ts'), join(project, 'encoder-webp.test.ts'))
  }, 600_000)

  describe('a program', () => testUserPrograms(() => folder))

  describe('a new package', () => {
    const folders = new Map<string, string>()
    const tests: Tested[] = []
    /** What its render and then the command lines of its effect have answered, by role. */
    const answers = new Map<string, readonly Finished[]>()

    beforeAll(async () => {
      const creating = roles.map((role) => ({ words: ['plugin', 'create', role, 'first-try'] }))
      for (const [index, created] of (await runLines(folder, creating)).entries()) {
        expect(created).toMatchObject({ code: 0 })
        folders.set(roles[index] ?? '', join(folder, created.stdout.trim()))
      }
      // One start for the tests of all packages: each test file is that of one package.
      const { stdout, stderr } = await runTests(folder)
      if (stdout === '') throw new Error(stderr)
      tests.push(...JSON.parse(stdout).testResults)
      // One start for the renders too.
      const lines = roles.flatMap((role) => {
        const cwd = folders.get(role) ?? ''
        const words = [['render', 'example'], ...(effects[role].lines ?? [])]
        return words.map((words) => ({ role, words, cwd, env: { VID_CACHE: 'on' } }))
      })
      for (const role of roles) await effects[role].files?.(folders.get(role) ?? '')
      const finished = await runLines(folder, lines)
      for (const role of roles)
        answers.set(
          role,
          finished.filter((_, index) => lines[index]?.role === role),
        )
    }, 600_000)

    longTest(
      'has the same compiler options for every role, builds by its own scripts, and types that its users get',
      async () => {
        const texts = (name: string) =>
          Promise.all([...folders.values()].map((dir) => readFile(join(dir, name), 'utf8')))
        for (const name of ['tsconfig.json', 'tsconfig.build.json'])
          expect(new Set(await texts(name)).size, name).toBe(1)
        const [dir = ''] = folders.values()
        for (const args of [[], ['-p', 'tsconfig.build.json']])
          expect(await compile(dir, ...args)).toEqual({ code: 0, stdout: '', stderr: '' })
        expect(await readFile(join(dir, 'dist/index.d.ts'), 'utf8')).toContain('export default')
        // With these options, all packages compile as one program.
        const names = [...folders.values()].map((path) => basename(path))
        const config = {
          extends: `./${basename(dir)}/tsconfig.json`,
          compilerOptions: { rootDir: '.', outDir: 'compiled', noEmit: false },
          include: names.flatMap((name) => [`${name}/src`, `${name}/vid.config.ts`]),
        }
        await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
        expect(await compile(folder)).toEqual({ code: 0, stdout: '', stderr: '' })
        for (const name of names)
          expect(await readFile(join(folder, 'compiled', name, 'src/index.d.ts'), 'utf8'), name).toContain(
            'export default',
          )
      },
    )

    test('by an author far from here passes the contract suite of its role too', () => {
      const results = tests.filter(({ name }) => name.includes('/project/'))
      expect(outcomesOf(results)).toEqual([['passed']])
      expect(results[0]?.assertionResults.length).toBeGreaterThan(10)
    })

    test.each(roles)(
      'for the role %s passes its tests and renders, far from this repository',
      async (role) => {
        const dir = folders.get(role) ?? ''
        const results = tests.filter(({ name }) => name.includes(`/${basename(dir)}/`))
        expect(outcomesOf(results)).toEqual([['passed']])
        expect(results[0]?.assertionResults.length).toBeGreaterThan(0)

        const [rendered, ...others] = answers.get(role) as [Finished, ...Finished[]]
        expect(rendered.code, rendered.stderr).toBe(0)
        const frames = await all(decodeFrames(join(dir, rendered.stdout.trim()), { pixFmt: 'rgba' }))
        expect(frames).toHaveLength(role === 'preset' ? 60 : 30)
        const [first, last] = [frames[0], frames.at(-1)] as [Uint8Array, Uint8Array]
        // The bar has not started in the first frame, and has gone almost the whole way in the last.
        expect(near(pixel(first, 320, 300, 165), [0x1d, 0x4e, 0xd8])).toBe(true)
        expect(near(pixel(last, 320, 300, 165), [0xfa, 0xcc, 0x15])).toBe(true)
        await effects[role].check?.(dir, others, rendered)
      },
      300_000,
    )
  })

  test('an encoder for a sixth format, a delivery, a data source and a watermark work together', async () => {
    const rendered = answered.get('render') as Finished
    expect(rendered.code, rendered.stderr).toBe(0)
    const file = join(project, 'renders/project.webp')
    const frames = await all(webpFrames(file))
    expect(frames).toHaveLength(15)
    for (const [index, frame] of frames.entries()) {
      // The bar is ten pixels longer with every frame; the ground has its colour from the data source.
      const bar = Array.from({ length: 16 }, (_, tenth) => near(pixel(frame, 160, tenth * 10 + 5, 10), [255, 255, 255]))
      expect(bar.indexOf(false), `frame ${index}`).toBe(index)
      expect(pixel(frame, 160, 30, 60)).toEqual([0x1d, 0x4e, 0xd8])
      expect(pixel(frame, 160, 140, 75), 'the mark').toEqual([0xfa, 0xcc, 0x15])
    }
    const bytes = await readFile(file)
    const [line, ...others] = (await readFile(join(project, 'ledger.jsonl'), 'utf8')).trim().split('\n')
    expect(others).toEqual([])
    expect(JSON.parse(line ?? '')).toEqual({
      name: 'project.webp',
      frames: 15,
      fileSize: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
  })

  test('a flag overrides the data source, and the watermark overrides the flag', () => {
    const { stdout, stderr } = answered.get('inspect') as Finished
    expect(JSON.parse(stdout).plan?.variables, stderr).toEqual({ colour: '#00aa00', mark: '#facc15' })
  })

  test('the published types compile without the sources, for every package and in user scripts', async () => {
    const packages = Object.keys(
      JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).dependencies as Record<string, string>,
    ).filter((name) => name.startsWith('@vid/'))
    const imports = packages.map((name, index) => `export * as p${index} from '${name}'\n`)
    await writeFile(join(project, 'every-package.ts'), imports.join(''))
    for (const [name, text] of Object.entries(USER_TYPES)) await writeFile(join(project, name), text)
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'dom'],
      types: ['node'],
      module: 'nodenext',
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: false,
    }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const checked = await compile(project)
    // The declarations of our own packages are checked too; what is in those of others is theirs.
    const isTheirs = (line: string) => /^\s|^\.\.\/node_modules\//.test(line) && !line.includes('@vid/')
    expect(checked.stdout.split('\n').filter((line) => line !== '' && !isTheirs(line))).toEqual([])
  })

  test.each(Object.keys(faults))(
    'a plugin that fails in %s is named with its hook, and its neighbours are not',
    (hook) => {
      const { code, stdout, stderr } = answered.get(hook) as Finished
      expect(code).toBe(1)
      const result = join(folder, `fault-${hook}`, 'renders/fault-deliver.webp')
      expect(eventOf({ code, stdout, stderr })).toEqual({
        type: 'render-error',
        error: {
          code: 'VID_PLUGIN_FAILED',
          message:
            `Plugin ${FAULTY} in hook ${hook} failed: no luck` +
            // The video is finished by then, and must not be lost.
            (hook === 'deliver' ? `; the finished result is kept at ${result}.` : '.'),
          hint: expect.stringContaining(FAULTY),
          fault: 'render',
          plugin: FAULTY,
          hook,
        },
      })
      expect(stderr).toContain(`plugin: ${FAULTY}, hook ${hook}`)
      expect(stderr).not.toMatch(/vid-(watermark|data-source|encoder-webp|deliver-ledger)/)
    },
  )

  test('a plugin made for another version of the contract is refused by name', () => {
    const { code, stderr } = answered.get('other version') as Finished
    expect(code).toBe(2)
    expect(stderr).toContain('VID_PLUGIN_API_VERSION: Plugin @acme/vid-old has apiVersion 0')
  })
}

// The other packages are added to the installation that has had the command alone.
describe('one installation', { shuffle: false }, () => {
  describe('the command alone', () => testCommandAlone(() => folder))
  describe('with all packages', testAllPackages)
})
