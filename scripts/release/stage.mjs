// A copy of the workspace with the manifests that are published: nothing in the checkout is changed for a release.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { path, workspaces } from '../workspaces.mjs'
import { publishedManifest } from './manifest.mjs'

const STAGE = path('release')
// The recipe of the image is made again, with the addresses of what is published.
const LEFT_OUT = ['lab', 'recipe', 'node_modules', 'tsconfig.json', 'tsconfig.tsbuildinfo']

const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

const stagePackage = ({ folder, manifest }, stage, repository) => {
  const target = join(stage, folder)
  const skipped = new Set(LEFT_OUT.map((name) => path(`${folder}/${name}`)))
  cpSync(path(folder), target, { recursive: true, filter: (source) => !skipped.has(source) })
  cpSync(path('LICENSE'), join(target, 'LICENSE'))
  writeJson(join(target, 'package.json'), publishedManifest(manifest, folder, repository))
  return target
}

/**
 * Makes a folder again, `release` if none is named: a workspace that `changeset publish` can run in. Returns each
 * package's folder.
 */
export const stageRelease = ({ stage = STAGE, repository = process.env.GITHUB_REPOSITORY } = {}) => {
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(stage)
  const groups = ['packages/*/*', 'plugins/*', 'presets/*']
  writeJson(join(stage, 'package.json'), { name: 'vid-release', private: true, workspaces: groups })
  cpSync(path('.changeset/config.json'), join(stage, '.changeset/config.json'))
  const packages = workspaces().filter(({ manifest }) => !manifest.private)
  const folders = packages.map((entry) => ({ ...entry, staged: stagePackage(entry, stage, repository) }))
  return { stage, packages: folders }
}
