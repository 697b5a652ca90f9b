import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Finished } from './vid.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** What a script of this repository adds to its environment would lead npm and vitest back here. */
const outsideEnv = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_)|npm_config_(local_)?prefix$|INIT_CWD$|VITEST|NODE_ENV$|TEST$)/.test(name),
    ),
  )

/** Runs a program in a folder outside of this repository, to its end. */
export const outside = (cwd: string, program: string, ...args: string[]): Promise<Finished> =>
  new Promise((resolve) => {
    const options = { cwd, env: outsideEnv(), maxBuffer: 2 ** 26 }
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : null) : 0
      resolve({ code, stdout, stderr: error?.killed ? `${stderr}\nkilled` : stderr })
    })
  })

const succeeded = async (running: Promise<Finished>) => {
  const { code, stdout, stderr } = await running
  if (code !== 0) throw new Error(`exit code ${code}\n${stdout}\n${stderr}`)
}

/**
 * An empty folder elsewhere with the toolkit installed as from the registry: every package packed, then installed
 * with what it depends on. Give it back with `rm`.
 */
export const installToolkit = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-author-'))
  const packs = join(folder, 'packs')
  await mkdir(packs)
  // As they are published: the manifests of this repository point at sources, which are not packed.
  const stage = join(folder, 'stage')
  const script = join(repository, 'scripts/release/stage-to.mjs')
  await succeeded(outside(repository, process.execPath, script, stage))
  await succeeded(outside(stage, 'npm', 'pack', '--workspaces', '--silent', '--pack-destination', packs))
  await rm(stage, { recursive: true })
  const dependencies = Object.fromEntries(
    (await readdir(packs)).map((file) => {
      const [, name = ''] = /^vid-(.*)-\d+\.\d+\.\d+\.tgz$/.exec(file) ?? []
      return [`@vid/${name}`, `file:packs/${file}`]
    }),
  )
  const { libraryVersions } = await import('@vid/cli')
  const manifest = {
    name: 'author',
    private: true,
    type: 'module',
    dependencies: { ...dependencies, ...libraryVersions },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const quick = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
  await succeeded(outside(folder, 'npm', 'install', ...quick))
  return folder
}
