// What somebody types who uses vid for the first time, in order, and what comes of it.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleOf, linesOf } from './pages.mjs'

/** `docs/start.md` as it is written, without the upload, for which there is no bucket. */
export const startPage = () => {
  let folder = '.'
  return linesOf('docs/start.md').flatMap((line) => {
    const [, into] = /^cd (\S+)$/.exec(line) ?? []
    if (into) folder = into
    return into ? [] : [{ folder, line, ...actions[line] }]
  })
}

/** What a line of the start page makes. */
const actions = {
  'npx @vid/cli init my-film --template product-teaser': {
    line: 'npx --yes @vid/cli init my-film --template product-teaser',
    makes: ['my-film/index.html', 'my-film/AGENTS.md', 'my-film/assets'],
  },
  'npx vid snapshot --at 1s,50%,90%': { makes: ['my-film/snapshots/my-film/snapshot_50pct.png'] },
  'npx vid render': { makes: ['my-film/renders/my-film.mp4'] },
  'npx vid render --format gif --scale 1/4 --fps 12 --quiet -o renders/small.gif': {
    makes: ['my-film/renders/small.gif'],
  },
}

/** The two commands of the README, with the composition that it shows. */
export const readme = (films) => {
  mkdirSync(join(films, 'read me/intro'), { recursive: true })
  writeFileSync(join(films, 'read me/intro/index.html'), exampleOf('README.md', 'html'))
  const [install, render] = linesOf('README.md')
  return [
    // npm asks about three packages with scripts; only the package.json of a project can answer, as that of vid init does.
    { folder: 'read me', line: install, expects: 'npm warn install-scripts' },
    { folder: 'read me', line: render, makes: ['read me/renders/intro.mp4'] },
  ]
}

/** The short way: the smallest template, and each command once. */
export const shortWay = [
  {
    folder: '.',
    line: "npx --yes @vid/cli init 'my film'",
    makes: ['my film/index.html'],
    says: "next: cd 'my film' && npm install && npx vid preview",
  },
  { folder: 'my film', line: 'npm install' },
  { folder: 'my film', line: 'npx vid preview' },
  { folder: 'my film', line: 'npm run lint' },
  { folder: 'my film', line: 'npm run render', makes: ['my film/renders/my film.mp4'] },
  { folder: 'my film', line: 'npm run stills', makes: ['my film/snapshots'] },
  { folder: 'my film', line: 'npx vid doctor', says: 'all required checks passed' },
  { folder: 'my film', line: 'source <(npx vid completion bash) && complete -p vid', says: '-F _vid vid' },
]

const OLD_PAGE = `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="1" data-fps="24">
<p class="clip" data-start="0" data-duration="1" data-track-index="0">Old</p></div></body></html>`

/** A project of HyperFrames, imported and rendered. */
export const imported = (films) => {
  mkdirSync(join(films, 'old video'))
  writeFileSync(join(films, 'old video/index.html'), OLD_PAGE)
  return [
    { folder: 'my film', line: "npx vid import hyperframes '../old video' ../imported" },
    { folder: 'imported', line: 'npm install' },
    { folder: 'imported', line: 'npx vid render', makes: ['imported/renders/imported.mp4'] },
  ]
}

/** Each template: made, its packages installed, checked, and a little of it rendered. */
export const templates = (names) =>
  names.flatMap((name) => {
    const folder = `${name} film`
    return [
      { folder: 'my film', line: `npx vid init '../${folder}' --template ${name}` },
      { folder, line: 'npm install' },
      { folder, line: 'npx vid lint --strict', says: 'nothing found' },
      {
        folder,
        line: 'npx vid render --from 50% --to 55% --quality draft',
        makesAny: `${folder}/renders/${folder}`,
      },
    ]
  })

/** Those of the files that a step should have made and did not. */
export const missingOf = ({ makes = [], makesAny }, films) => [
  ...makes.filter((name) => !existsSync(join(films, name))),
  ...(makesAny && !['mp4', 'webm'].some((format) => existsSync(join(films, `${makesAny}.${format}`)))
    ? [makesAny]
    : []),
]
