// The rules of `npm run check` about how sources are laid out. Each takes a tree and returns its problems as sentences.
import { dirname } from 'node:path/posix'
import { importsOf, isTest, linksOf } from './tree.mjs'

/** Files that a folder may hold before it needs rooms; tests are not counted. */
export const MAX_FOLDER_FILES = 25
/** Lines of a function, from the line that opens it to the one that closes it. */
export const MAX_FUNCTION_LINES = 60

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

/** The room of a file, which is its folder directly below the sources; undefined for a root file. */
const roomOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined)

/**
 * What breaks the order between the rooms of a package, whose files are named from its sources: rooms that import each
 * other, directly or over others, and root files that import rooms (roof) and are imported by them (ground). Each has a
 * `key` for the list of exceptions, and the `text` that names it.
 */
export const roomCircles = (tree) => {
  const links = linksOf(new Map([...tree].filter(([file]) => !isTest(file))))
  const imports = [...links].flatMap(([file, targets]) => targets.map((target) => [file, target]))
  const rooms = new Map([...links.keys()].flatMap((file) => (roomOf(file) ? [[roomOf(file), new Set()]] : [])))
  for (const [file, target] of imports)
    if (roomOf(file) && roomOf(target) && roomOf(file) !== roomOf(target)) rooms.get(roomOf(file)).add(roomOf(target))
  const circles = groupsThatReachEachOther(rooms).map((group) => {
    const names = [...group].sort()
    const example = (from) =>
      imports.find(([file, to]) => roomOf(file) === from && group.has(roomOf(to)) && roomOf(to) !== from)
    const examples = names.map((name) => example(name).join(' → '))
    return {
      key: names.join(' '),
      text: `rooms import each other in a circle: ${names.join(', ')} (${examples.join('; ')})`,
    }
  })
  const aboveRooms = new Set()
  const findRoof = (file) => {
    if (aboveRooms.has(file)) return
    aboveRooms.add(file)
    for (const [above, target] of imports) if (target === file && !roomOf(above)) findRoof(above)
  }
  for (const [file, target] of imports) if (!roomOf(file) && roomOf(target)) findRoof(file)
  // A room that nothing imports, such as the commands of a package, is above its roof.
  const imported = new Set(
    imports.flatMap(([file, target]) => (roomOf(file) === roomOf(target) ? [] : [roomOf(target)])),
  )
  const mixed = [...aboveRooms].sort().flatMap((file) => {
    const below = imports.find(([from, target]) => target === file && roomOf(from) && imported.has(roomOf(from)))
    return below
      ? [{ key: file, text: `${file} imports rooms and is imported by ${below[0]}: a root file is ground or roof` }]
      : []
  })
  return [...circles, ...mixed]
}

/** The problems that the list of exceptions does not have, and the entries of the list that are no problem any more. */
export const exceptIn = (problems, exceptions) => {
  const keys = new Set(problems.map(({ key }) => key))
  return [
    ...problems.filter(({ key }) => !exceptions.includes(key)).map(({ text }) => text),
    ...exceptions
      .filter((key) => !keys.has(key))
      .map((key) => `"${key}" is mended: remove it from scripts/structure/exceptions.json`),
  ]
}

/**
 * The problems whose `size` is not the one that the list of exceptions has for their key, and its entries that are no
 * problem any more: what is excepted may shrink, and never grows again.
 */
export const exceptSizes = (problems, sizes) => [
  ...problems.flatMap(({ key, text, size }) => {
    const before = sizes[key]
    if (before === undefined) return [text]
    if (size > before) return [`${text}, and had ${before}: an exception may not grow`]
    return size < before ? [`${text}, and had ${before}: node scripts/check-structure.mjs --shrink`] : []
  }),
  ...exceptIn(
    problems.filter(({ key }) => key in sizes),
    Object.keys(sizes),
  ),
]

/** Folders with more files than one can keep in mind. */
export const crowdedFolders = (tree) => {
  const counts = new Map()
  for (const file of [...tree.keys()].filter((file) => !file.endsWith('.test.ts')))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > MAX_FOLDER_FILES)
    .map(([folder, count]) => ({
      key: folder,
      text: `${folder} holds ${count} files, at most ${MAX_FOLDER_FILES}: give it folders by idea`,
    }))
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

/**
 * Imports, also of types alone, that do not lead down: from a package of one district to one that stands above it, or to
 * another district of the same height. `districts` has the district of each package by its name; `heights` their order.
 */
export const risingImports = (tree, importer, districts, heights) => {
  const from = districts.get(importer)
  const arrows = new Map()
  for (const [file, text] of tree) {
    if (isTest(file)) continue
    for (const name of importsOf(text).map((imported) => imported.split('/', 2).join('/'))) {
      const to = districts.get(name)
      if (to === undefined || to === from || heights[to] < heights[from]) continue
      const key = `${importer} → ${name}`
      if (!arrows.has(key)) arrows.set(key, { key, text: `${file} imports ${name}: ${from} must not know ${to}` })
    }
  }
  return [...arrows.values()]
}

const CLOSING = { '{': '}', '(': ')', '[': ']' }

/** The last line of a function, which begins and ends with the same indentation. */
const lastLine = (lines, first, indent) => {
  const after = (start, closing) => lines.findIndex((line, n) => n > start && line.startsWith(`${indent}${closing}`))
  // Behind parameters in lines of their own comes a body in braces, or an expression.
  const head = lines[first].endsWith('(') ? after(first, ')') : first
  const closing = CLOSING[lines[head].at(-1)]
  if (closing) return after(head, closing)
  const next = lines.findIndex((line, n) => n > head && !line.startsWith(`${indent} `))
  return next < 0 ? lines.length - 1 : next - 1
}

/** Functions that are too long to be read at once. */
export const longFunctions = (tree) =>
  [...tree]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) => {
      const lines = text.split('\n')
      return lines.flatMap((line, index) => {
        const [, indent, name] = /^(\s*)(?:export )?(?:async )?(?:const|function) ([\w$]+)/.exec(line) ?? []
        const isFunction = /=>\s*\{\s*$|\)\s*(?::.*)?\{\s*$|=\s*(?:async )?\($/.test(line)
        if (name === undefined || !isFunction) return []
        const length = lastLine(lines, index, indent) - index + 1
        return length > MAX_FUNCTION_LINES
          ? [
              {
                key: `${file} ${name}`,
                text: `${file}:${index + 1} ${name} has ${length} lines, at most ${MAX_FUNCTION_LINES}`,
                size: length,
              },
            ]
          : []
      })
    })

/** Codes of errors and warnings that are written where they are raised: the tables have them, and so has ERRORS.md. */
export const looseCodes = (tree) =>
  [...tree]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) =>
      text.split('\n').flatMap((line, index) => {
        const [code] = /(?<=\bcode: *)['"`]VID_\w*/.exec(line) ?? []
        return code
          ? [`${file}:${index + 1} raises ${code.slice(1)} without a table: use defineErrors or defineWarnings`]
          : []
      }),
    )

/** Machine paths: a home folder does not exist on other machines. */
export const machinePaths = (texts) =>
  [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => {
      const [match] = /(?<![\w.:/-])\/(?:root|home\/\w+|Users\/\w+)\/[\w.-]+/.exec(line) ?? []
      return match ? [`${file}:${index + 1} names a path of one machine: ${match}`] : []
    }),
  )

/** Folders of data for tests, which no page lists. */
const FIXTURES = 'fixtures'

/** Rooms of a package that its row in the table of an architecture page does not name. */
export const unnamedRooms = (page, folder, sources) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${folder}\` `)) ?? ''
  const rooms = new Set([...sources.keys()].flatMap((file) => roomOf(file) ?? []))
  return [...rooms]
    .filter((room) => room !== FIXTURES && !row.includes(`\`${room}\``) && !row.includes(`\`${room}/`))
    .map((room) => `docs/architecture.md: the row of ${folder} does not name its room ${room}`)
}
