import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isImageContext, writeImageContext } from './image-context.ts'
import { checkReplaceable, isFile, writeTarget } from './target.ts'

const { signal } = new AbortController()

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-target-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const source = async () => {
  const path = join(await newFolder(), 'tool')
  await writeFile(path, 'bytes', { mode: 0o700 })
  return path
}

const filesOf = async () => [
  { path: 'index.mjs', from: { content: 'start' }, bytes: 5, isExecutable: false },
  { path: 'node_modules/a/tool', from: await source(), bytes: 5, isExecutable: true },
]

test('the folder of an image holds the function as copies that every user may read, and how it is built', async () => {
  const folder = await newFolder()
  const path = join(folder, 'deep/image')
  const files = await filesOf()
  await writeTarget(path, (staged) => writeImageContext(files, staged, signal))
  expect(await readFile(join(path, 'Dockerfile'), 'utf8')).toMatch(
    /^FROM public\.ecr\.aws\/lambda\/nodejs:22\nCOPY function\/ \$\{LAMBDA_TASK_ROOT\}\/\nCMD \["index\.handler"\]\n$/,
  )
  expect(await readFile(join(path, 'README.md'), 'utf8')).toContain('docker build --platform linux/amd64')
  expect(await readFile(join(path, 'function/index.mjs'), 'utf8')).toBe('start')
  const tool = await stat(join(path, 'function/node_modules/a/tool'))
  expect([tool.mode & 0o777, tool.nlink]).toEqual([0o755, 1])
  expect((await stat(path)).mode & 0o055).toBe(0o055)
  expect(await readdir(join(folder, 'deep'))).toEqual(['image'])
})

test('an earlier folder of an image is replaced whole, and another folder never', async () => {
  const folder = await newFolder()
  const path = join(folder, 'image')
  const files = await filesOf()
  const write = () => writeTarget(path, (staged) => writeImageContext(files, staged, signal))
  await write()
  await writeFile(join(path, 'function/left'), '')
  const code = 'VID_LAMBDA_PACKAGE_EXISTS'
  await expect(checkReplaceable(path, false, isImageContext)).rejects.toMatchObject({ code })
  await checkReplaceable(path, true, isImageContext)
  await write()
  expect((await readdir(join(path, 'function'))).sort()).toEqual(['index.mjs', 'node_modules'])
  await mkdir(join(folder, 'photos'))
  for (const isOfKind of [isImageContext, isFile])
    await expect(checkReplaceable(join(folder, 'photos'), true, isOfKind)).rejects.toMatchObject({ code })
  await expect(checkReplaceable(join(path, 'Dockerfile'), true, isImageContext)).rejects.toMatchObject({ code })
})

test('a write that fails leaves nothing, and what was there before', async () => {
  const folder = await newFolder()
  const path = join(folder, 'function.zip')
  const broken = async (staged: string) => {
    await writeFile(staged, 'half')
    throw new Error('the disk is full')
  }
  await expect(writeTarget(path, broken)).rejects.toThrow('the disk is full')
  expect(await readdir(folder)).toEqual([])
  await writeFile(path, 'before')
  await expect(writeTarget(path, broken)).rejects.toThrow('the disk is full')
  expect(await readFile(path, 'utf8')).toBe('before')
  expect(await readdir(folder)).toEqual(['function.zip'])
})
