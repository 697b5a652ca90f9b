// The rules of `npm run check` about how sources are laid out. Each takes a tree and returns its problems as sentences.
import { dirname } from 'node:path/posix'
import { importsOf, isTest, linksOf } from './tree.mjs'

/** Files that a folder may hold before it needs rooms; tests are not counted. */
export const MAX_FOLDER_FILES = 30
/** Lines of a function, from the line that opens it to the one that closes it. */
export const MAX_FUNCTION_LINES = 120

/** Groups of files that reach each other (Tarjan's strongly connected components), those of one file left out. */
const groupsThatReachEachOther = (links) => {
  const order = new Map()
  const lowest = new Map()
  const path = []
  const groups = []
  const visit = (file) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file))
    path.push(file)
    for (const next of links.get(file)) {
      if (!order.has(next)) visit(next)
      if (path.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = path.splice(path.indexOf(file))
    if (group.length > 1) groups.push(new Set(group))
  }
  for (const file of links.keys()) if (!order.has(file)) visit(file)
  return groups
}

/** The shortest way from a file through `links` back to it, within a group. */
const shortestCircle = (start, group, links) => {
  const ways = [[start]]
  const seen = new Set()
  for (const way of ways)
    for (const next of links.get(way.at(-1))) {
      if (next === start) return [...way, start]
      if (!group.has(next) || seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  return [start]
}

/** Files that import each other in a circle, also when it is only for types: one line for each group of them. */
export const circles = (tree) => {
  const sources = new Map([...tree].filter(([file]) => !file.endsWith('.test.ts')))
  const links = linksOf(sources)
  return groupsThatReachEachOther(links).map((group) => {
    const ways = [...group].sort().map((file) => shortestCircle(file, group, links))
    const [shortest] = ways.sort((a, b) => a.length - b.length)
    const more = group.size - (shortest.length - 1)
    const also = more > 0 ? ` (${group.size} files reach each other)` : ''
    return `files import each other in a circle: ${shortest.join(' → ')}${also}`
  })
}

/** Folders with more files than one can keep in mind. */
export const crowdedFolders = (tree) => {
  const counts = new Map()
  for (const file of [...tree.keys()].filter((file) => !file.endsWith('.test.ts')))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > MAX_FOLDER_FILES)
    .map(([folder, count]) => `${folder} holds ${count} files, at most ${MAX_FOLDER_FILES}: give it folders by idea`)
}

/** Modules that a package imports although it must work anywhere, with `allowed` libraries alone. */
export const foreignImports = (tree, allowed) =>
  [...tree]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) =>
      importsOf(text)
        .filter((name) => !name.startsWith('.') && !allowed.includes(name.split('/')[0]))
        .map((name) => `${file} imports ${name}; this package imports ${allowed.join(', ')} only`),
    )

/** Functions that are too long to be read at once; a function begins and ends with the same indentation. */
export const longFunctions = (tree) =>
  [...tree]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) => {
      const lines = text.split('\n')
      return lines.flatMap((line, index) => {
        const [, indent, name] = /^(\s*)(?:export )?(?:async )?(?:const|function) ([\w$]+)/.exec(line) ?? []
        const isFunction = /=>\s*\{\s*$|\)\s*(?::.*)?\{\s*$|=\s*(?:async )?\($/.test(line)
        if (name === undefined || !isFunction) return []
        const end = lines.findIndex((each, lineIndex) => lineIndex > index && each.startsWith(`${indent}}`))
        const length = end - index + 1
        return length > MAX_FUNCTION_LINES
          ? [`${file}:${index + 1} ${name} has ${length} lines, at most ${MAX_FUNCTION_LINES}`]
          : []
      })
    })

/** Codes of errors and warnings that are written where they are raised: the tables have them, and so has ERRORS.md. */
export const looseCodes = (tree) =>
  [...tree]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) =>
      text.split('\n').flatMap((line, index) => {
        const [found] = /(?<=\bcode: *)['"`]VID_\w*/.exec(line) ?? []
        return found
          ? [`${file}:${index + 1} raises ${found.slice(1)} without a table: use defineErrors or defineWarnings`]
          : []
      }),
    )

/** Machine paths: a home folder does not exist on other machines. */
export const machinePaths = (texts) =>
  [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => {
      const [found] = /(?<![\w.:/-])\/(?:root|home\/\w+|Users\/\w+)\/[\w.-]+/.exec(line) ?? []
      return found ? [`${file}:${index + 1} names a path of one machine: ${found}`] : []
    }),
  )
