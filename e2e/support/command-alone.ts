import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outside, runLines } from './toolkit.ts'
import { type Finished, here } from './vid.ts'

const PAGE = `<!doctype html><body><div data-composition-id="main" data-width="64" data-height="36" data-duration="0.5"><p data-start="0"></p></div></body>`

/** Commands that are not those of the command alone, and the package that has them. */
const OTHER_COMMANDS = {
  'lambda deploy': '@vid/lambda',
  lambda: '@vid/lambda',
  'cloud serve --port 1': '@vid/cloud',
  'cloud accounts list': '@vid/cloud',
  'cloud render intro': '@vid/client',
  'auth login': '@vid/client',
  'publish intro': '@vid/client',
  producer: '@vid/producer',
  'captions transcribe talk.wav': '@vid/speech',
  'container info': '@vid/container',
} as const

/** Flags of a render that need another package. */
const OTHER_FLAGS = {
  '--docker': '@vid/target-docker',
  '--target=docker': '@vid/target-docker',
  '--target=cloud': '@vid/target-cloud',
  '--target=lambda': '@vid/target-lambda',
  '--target=producer': '@vid/target-producer',
  '--preset=aws': '@vid/preset-aws',
} as const

/** Bytes of all files below a folder. */
const bytesBelow = async (path: string): Promise<number> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Tests of what a stranger has who installs the command alone; they leave the folder with nothing else in it. */
export const testCommandAlone = (installed: () => string): void => {
  let folder: string
  const vid = (...args: string[]) => outside(folder, join(folder, 'node_modules/.bin/vid'), ...args)
  beforeAll(async () => {
    folder = installed()
    await mkdir(join(folder, 'intro'))
    await writeFile(join(folder, 'intro/index.html'), PAGE)
  })
  afterAll(async () => {
    for (const name of ['intro', 'renders', 'vid.config.mjs', 'node_modules/scene-tools'])
      await rm(join(folder, name), { recursive: true, force: true })
  })

  test('the command brings what renders and previews need, and no server, cloud or AWS', async () => {
    const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>
    }
    const names = Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ''))
    expect(names.length).toBeLessThanOrEqual(127)
    expect((await bytesBelow(join(folder, 'node_modules'))) / 1e6).toBeLessThanOrEqual(333)
    expect(
      names.filter((name) => /^@aws-sdk|^@vid\/(?:cloud|client|container|lambda|producer|speech)$|^pg/.test(name)),
    ).toEqual([])
  })

  test('it renders', async () => {
    const { code, stdout, stderr } = await vid('render', 'intro')
    expect(code, stderr).toBe(0)
    expect((await stat(join(folder, stdout.trim()))).size).toBeGreaterThan(500)
  })

  describe('what comes with another package names it', () => {
    const answers = new Map<string, Finished>()
    beforeAll(async () => {
      const lines = [...Object.keys(OTHER_COMMANDS), ...Object.keys(OTHER_FLAGS).map((flag) => `render intro ${flag}`)]
      const finished = await runLines(
        folder,
        lines.map((line) => ({ words: line.split(' ') })),
      )
      for (const [index, line] of lines.entries()) answers.set(line, finished[index] as Finished)
    })

    test.each(Object.entries(OTHER_COMMANDS))('vid %s: %s', (line, name) => {
      const { code, stdout, stderr } = answers.get(line) as Finished
      const words = line.split(' ')[0]
      expect(stderr).toMatch(
        new RegExp(
          `^error VID_COMMAND_PACKAGE_MISSING: "vid ${words}.*" comes with the package ${name}, which is not installed`,
        ),
      )
      expect(stderr).toContain(`hint: Run "npm install ${name}".\n`)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    })

    test.each(Object.entries(OTHER_FLAGS))('vid render %s: %s', (flag, name) => {
      const { code, stdout, stderr } = answers.get(`render intro ${flag}`) as Finished
      expect(stderr).toContain(`comes with the package ${name}`)
      expect(stderr).toContain(`hint: Run "npm install ${name}"`)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    })
  })

  test('the list of commands says what is not installed', async () => {
    const { stdout } = await vid('--help')
    expect(stdout).toContain('(not installed: npm install @vid/lambda)')
    expect(stdout).toContain('(not installed: npm install @vid/client @vid/cloud)')
    const group = await vid('cloud', '--help')
    expect(group.stdout).toMatch(/vid cloud serve +not installed: npm install @vid\/cloud/)
  })

  test('a surface of another version is refused in words', async () => {
    const place = join(folder, 'node_modules/@vid/lambda')
    await mkdir(place)
    await writeFile(join(place, 'package.json'), '{ "name": "@vid/lambda", "version": "0.0.1" }')
    const { code, stderr } = await vid('lambda', 'list')
    await rm(place, { recursive: true })
    expect(stderr).toMatch(/^error VID_COMMAND_PACKAGE_VERSION: @vid\/lambda in ".*" is version 0\.0\.1; this is vid /)
    expect(code).toBe(2)
  })

  test('a package of somebody else brings a command, a target and an encoder in at most 60 lines', async () => {
    const source = here('projects/scene-tools')
    expect((await readFile(join(source, 'index.js'), 'utf8')).split('\n').length).toBeLessThanOrEqual(60)
    await cp(source, join(folder, 'node_modules/scene-tools'), { recursive: true })
    const config = `import { apng, inTurn, scenes } from 'scene-tools'
  export default { commands: [scenes()], encoders: [apng()], targets: { turn: inTurn() }, target: 'turn' }`
    await writeFile(join(folder, 'vid.config.mjs'), config)
    expect((await vid('--help')).stdout).toContain('scene-tools:\n  vid scenes     count the scenes of a composition\n')
    expect((await vid('completion', 'bash')).stdout).toContain('"scenes") COMPREPLY')
    expect(await vid('scenes', 'intro')).toEqual({ code: 0, stdout: '1 scenes\n', stderr: '' })
    expect(await vid('scenes', 'intro', '--from', '1', '--json')).toMatchObject({
      code: 0,
      stdout: '{"type":"scenes","scenes":0}\n',
    })
    expect(await vid('scenes', '--fron=1')).toMatchObject({ code: 2, stderr: expect.stringContaining('mean --from?') })
    const { code, stdout, stderr } = await vid('render', 'intro', '--format', 'apng')
    expect([code, stdout], stderr).toEqual([0, 'renders/intro.apng\n'])
    expect((await readFile(join(folder, 'renders/intro.apng'))).includes('acTL')).toBe(true)
  })
}
