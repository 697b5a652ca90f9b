import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkRequest, type RequestContext } from '@vid/kernel'
import { scratchName } from '@vid/system'
import { expect, onTestFinished, test } from 'vitest'
import { type EngineScript, standIn } from './fixtures/scripted-engine.ts'
import docker from './index.ts'

const image = 'registry.example.com/vid@sha256:feed'

/** Renders a project with options, by an engine that does as the script says. */
const renderBy = async (
  script: EngineScript,
  options: NonNullable<Parameters<typeof docker>[0]> = { image },
  project = '.',
  files: readonly string[] = [],
) => {
  const folder = await mkdtemp(join(tmpdir(), 'docker-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of files) await writeFile(join(folder, name), '')
  const engine = await standIn(script)
  onTestFinished(engine.close)
  const target = docker(options)
  const context = {
    options: target.options,
    projectDir: join(folder, project),
    workDir: folder,
    paths: [join(folder, 'video.mp4')],
    signal: new AbortController().signal,
    sources: {},
    shared: {},
    progress: () => {},
    segment: () => {},
    warn: () => {},
    queued: () => {},
  } as unknown as RequestContext<never>
  const secret = 'a-value-that-is-nobody-elses'
  const request = checkRequest({
    projectDir: folder,
    output: join(folder, 'out.mp4'),
    format: 'mp4',
    variables: { title: secret },
  })
  const result = await target.render?.(request, context).catch((thrown: unknown) => thrown)
  return { result, folder, secret, engine, calls: engine.lines('calls') }
}

test.each([
  [{ refusal: 'permission denied while trying to connect to the socket' }, 'VID_CONTAINER_ENGINE_DENIED'],
  [{ refusal: 'Cannot connect to the Docker daemon' }, 'VID_CONTAINER_ENGINE_SILENT'],
  [{ isImageMissing: true }, 'VID_CONTAINER_IMAGE_MISSING'],
  [{ architecture: 'arm64' }, 'VID_CONTAINER_ARCHITECTURE'],
  [{ version: '9.9.9' }, 'VID_CONTAINER_IMAGE_FOREIGN'],
] as const)('an engine with %j is refused with %s, and nothing is started', async (script, code) => {
  const { result, engine } = await renderBy(script)
  expect(result).toMatchObject({ code, hint: expect.stringMatching(/\w/) })
  expect(engine.lines('requests')).toEqual([])
})

test('a project that is not there is the same error as without a container, before an image is fetched', async () => {
  const { result, calls } = await renderBy({ isImageMissing: true }, { image }, 'nowhere')
  expect(result).toMatchObject({ code: 'VID_PROJECT_MISSING', fault: 'caller' })
  expect(calls.filter((line) => line.startsWith('["pull"'))).toEqual([])
})

test('files of secrets in the project are closed', async () => {
  const { calls, folder } = await renderBy({}, { image }, '.', ['.env'])
  expect(calls.join('\n')).toContain(`source=${folder}/closed-file,destination=${folder}/.env,readonly`)
})

test('nothing of a composition is in the words of the engine, and its files hold it', async () => {
  const { calls, secret, folder } = await renderBy({})
  expect(calls.join('\n')).not.toContain(secret)
  expect(await readFile(join(folder, 'container', 'order.json'), 'utf8')).toContain(secret)
})

test('a variable for the config is passed on by its name, and has to be set', async () => {
  process.env.DOCKER_TEST_TOKEN = 'hush'
  onTestFinished(() => {
    delete process.env.DOCKER_TEST_TOKEN
  })
  const { calls, result } = await renderBy({}, { image, env: ['DOCKER_TEST_TOKEN'] })
  expect(result).toMatchObject({ frames: 1 })
  expect(calls.join('\n')).toContain('"--env","DOCKER_TEST_TOKEN"')
  expect(calls.join('\n')).not.toContain('hush')
  const missing = await renderBy({}, { image, env: ['NOT_SET_AT_ALL'] })
  expect(missing.result).toMatchObject({ code: 'VID_CONTAINER_ENVIRONMENT', fault: 'caller' })
})

test('containers of processes that have ended are removed, and no others', async () => {
  const current = scratchName('vid-render-')
  const ended = current.replace(/-\d+-\d+-/, '-4194303-1-')
  const foreign = current.replace(/vid-render-[0-9a-f]+/, 'vid-render-0123456789ab')
  const { engine } = await renderBy({ left: [current, ended, foreign, 'somebody-elses'] })
  const [started] = engine.lines('requests')
  expect([...engine.lines('removed')].sort()).toEqual([ended, started].sort())
})

test('a folder that would cover a part of the image is refused', async () => {
  const { result, engine } = await renderBy({}, { image, mounts: ['/usr'] })
  expect(result).toMatchObject({ code: 'VID_CONTAINER_FOLDER', fault: 'caller' })
  expect(engine.lines('requests')).toEqual([])
})

test('the packages that a project imports from are seen read-only, the folders above are not', async () => {
  const { calls, folder } = await renderBy({})
  const run = JSON.parse(calls.find((line) => line.startsWith('["run"')) ?? '[]') as string[]
  const mounts = run.filter((_, index) => run[index - 1] === '--mount')
  // The image has no GSAP: pages get the one that they get here.
  const isBeside = (mount: string) => mount.includes(',destination=/opt/vid/node_modules/')
  const gsap = /^type=bind,source=\S+\/node_modules\/gsap,destination=\/opt\/vid\/node_modules\/gsap,readonly$/
  expect(mounts.filter(isBeside)).toContainEqual(expect.stringMatching(gsap))
  expect(mounts.filter((mount) => !isBeside(mount))).toEqual([
    `type=bind,source=${folder},destination=${folder},readonly`,
    `type=bind,source=${folder}/container,destination=/vid`,
  ])
})

test('hardware encoding is refused before anything starts', () => {
  const request = checkRequest({ projectDir: '/p', output: '/o.mp4', gpu: true })
  expect(docker().refuses?.(request, {} as never)).toEqual([expect.stringContaining('hardware encoding')])
})

test('examining the target says which engine answers, and starts no container', async () => {
  const examine = async (script: EngineScript) => {
    const engine = await standIn(script)
    onTestFinished(engine.close)
    const target = docker({ image })
    const context = { options: target.options, signal: new AbortController().signal }
    const said = await target.examine?.(context as unknown as RequestContext<never>).catch((thrown: unknown) => thrown)
    return { said, requests: engine.lines('requests') }
  }
  expect(await examine({})).toEqual({
    said: expect.stringContaining(`the image ${image} is there`),
    requests: [],
  })
  expect((await examine({ isImageMissing: true })).said).toContain('is fetched by the first render')
  expect((await examine({ refusal: 'permission denied' })).said).toMatchObject({
    code: 'VID_CONTAINER_ENGINE_DENIED',
  })
})
