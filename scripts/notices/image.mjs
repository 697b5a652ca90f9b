// The notices of the container image: of all packages that its lockfile installs, and of the programs in it.
import { existsSync } from 'node:fs'
import { reachable } from '../container/lockfile.mjs'
import { path } from '../workspaces.mjs'
import { noticesText } from './text.mjs'
import { libraryWork, worksOf } from './works.mjs'

const IMAGE = 'the image of vid'

const byName = (one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1)

const distinct = (works) => [...new Map(works.map((work) => [`${work.name} ${work.version}`, work])).values()]

/**
 * The text for the packages that the folders `starts` need, by the workspace's lockfile; `ours` says of each workspace
 * folder in the image its manifest. Node's own notices are added in the image, from Node's package.
 */
export const imageNotices = ({ packages }, starts, ours) => {
  const keys = [...reachable(packages, starts, (key) => ours.get(key)?.manifest ?? packages[key]).keys()]
  const carried = [...ours].map(([folder, { manifest }]) => worksOf({ folder, manifest }))
  // A package that is not installed here is for another system, which the image is not.
  const installed = keys.filter((key) => key.includes('node_modules/') && existsSync(path(`${key}/package.json`)))
  return noticesText(IMAGE, [
    { title: 'Programs:', works: carried.flatMap(({ programs }) => programs) },
    {
      title: 'Packages, and libraries in their files:',
      works: distinct([...carried.flatMap(({ libraries }) => libraries), ...installed.map(libraryWork)]).sort(byName),
    },
  ])
}
