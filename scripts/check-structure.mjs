// Rules about how sources are laid out, which neither the compiler nor the linter knows; scripts/structure/rules.mjs has them.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { circles, crowdedFolders, foreignImports, longFunctions, looseCodes, machinePaths } from './structure/rules.mjs'
import { readTree } from './structure/tree.mjs'
import { path, workspaces } from './workspaces.mjs'

/** Packages that must load in a browser too, with the libraries that they may import. */
const ANYWHERE = { 'packages/protocol': ['typebox'] }

const problemsOf = (folder) => {
  const tree = new Map([...readTree(path(`${folder}/src`))].map(([name, text]) => [`${folder}/src/${name}`, text]))
  const allowed = ANYWHERE[folder]
  return [
    ...circles(tree),
    ...crowdedFolders(tree),
    ...longFunctions(tree),
    ...looseCodes(tree),
    ...(allowed ? foreignImports(tree, allowed) : []),
  ]
}

/** Texts of the files that the repository keeps, without the lock file and what is not text. */
const keptTexts = () => {
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: path(''),
    encoding: 'utf8',
  })
  return names
    .split('\n')
    .filter((name) => /\.(?:[cm]?[jt]s|json|md|ya?ml|html|css|sh)$/.test(name) && name !== 'package-lock.json')
    .flatMap((name) => {
      try {
        return [[name, readFileSync(path(name), 'utf8')]]
      } catch {
        // Removed, and not yet committed.
        return []
      }
    })
}

const problems = [...workspaces().flatMap(({ folder }) => problemsOf(folder)), ...machinePaths(keptTexts())]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
