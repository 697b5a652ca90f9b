import { canonicalJson, type FilmFacts } from '@vid/kernel'
import { isVidError } from '@vid/protocol'
import type { FilmSettings, Renderer } from '@vid/render'
import type { FilmCheck } from './events.ts'
import { type KeptFilm, type ReadFilm, type ReadOptions, readFacts } from './facts/read-facts.ts'
import { type FoundFinding, findAll } from './findings/find.ts'
import type { ChosenRule } from './rules/choose-rules.ts'
import { type FilmRun, inRun } from './variables/film-run.ts'

/** What is checked. */
export interface CheckSettings {
  readonly film: FilmSettings
  readonly rules: readonly ChosenRule[]
  /** The film is shown once for each. */
  readonly runs: readonly FilmRun[]
}

/** Codes of errors by which a page ends before anything of it can be seen: they are findings. */
const PAGE_ERRORS = ['VID_SCRIPT_FAILED', 'VID_FONT_NOT_LOADED', 'VID_IMAGE_NOT_LOADED']

/** A film of which nothing is known but what ended it. */
const endedFacts = (error: { code: string; message: string; hint?: string | undefined }): FilmFacts => ({
  width: 1,
  height: 1,
  fps: 1,
  frames: 1,
  duration: 1,
  elements: [],
  clips: [],
  motions: [],
  texts: [],
  contrasts: [],
  images: [],
  paths: [],
  states: [],
  grid: { columns: 1, rows: 1 },
  pictures: [],
  media: [],
  captions: [],
  sound: null,
  problems: [
    {
      code: error.code,
      message: error.message,
      ...(error.hint !== undefined && { hint: error.hint }),
      frames: null,
      file: null,
      line: null,
    },
  ],
  timings: [],
  sources: [],
  source: [],
})

const readFilm = (renderer: Renderer, film: FilmSettings, options: ReadOptions): Promise<ReadFilm> =>
  readFacts(renderer, film, options).catch((thrown: unknown) => {
    if (!isVidError(thrown) || !PAGE_ERRORS.includes(thrown.code)) throw thrown
    return { facts: endedFacts(thrown), elements: [], root: null }
  })

/** A film that was checked, with what its findings are drawn from. */
export interface CheckedFilm {
  readonly all: readonly FoundFinding[]
  readonly films: readonly { readonly run: FilmRun; readonly film: ReadFilm }[]
}

/** How a check is stopped, who hears how far it is, and what it keeps for the next one. */
export interface CheckOptions extends Omit<ReadOptions, 'keep'> {
  /** What was found of the film, by its values; the next check with it looks only at the frames of an edit. */
  readonly kept?: Map<string, KeptFilm>
}

const keptOf = (
  kept: Map<string, KeptFilm>,
  { projectDir = '.', entry = 'index.html', variables, shapes }: FilmSettings,
): KeptFilm => {
  const key = canonicalJson([shapes ?? null, variables ?? {}])
  const keep = kept.get(key) ?? { composition: { projectDir, entry } }
  kept.set(key, keep)
  return keep
}

/** Shows a film with each set of values, and applies the rules to what is seen. */
export const checkFilm = async (
  renderer: Renderer,
  { film, rules, runs }: CheckSettings,
  { kept, ...options }: CheckOptions,
): Promise<CheckedFilm> => {
  const films: { run: FilmRun; film: ReadFilm }[] = []
  for (const run of runs) {
    const varied = inRun(film, run)
    const keep = kept && keptOf(kept, varied)
    films.push({ run, film: await readFilm(renderer, varied, { ...options, ...(keep && { keep }) }) })
  }
  const all = films.flatMap(({ run, film: read }) => findAll(read, rules, run.name))
  return { all, films }
}

/** The result of a check, without what is ignored and what a baseline has. */
export const checkResult = (
  { all, films }: CheckedFilm,
  isOld: (finding: FilmCheck['findings'][number]) => boolean = () => false,
): FilmCheck => {
  const heard = all.filter(({ isIgnored }) => !isIgnored).map(({ finding }) => finding)
  const findings = heard.filter((finding) => !isOld(finding))
  const count = (level: string) => findings.filter((finding) => finding.level === level).length
  const [first] = films
  return {
    ok: count('error') === 0,
    errors: count('error'),
    warnings: count('warning'),
    notes: count('note'),
    findings,
    ignored: all.length - heard.length,
    baselined: heard.length - findings.length,
    frames: first?.film.facts.frames ?? 0,
    states: first?.film.facts.states.length ?? 0,
    runs: films.length,
    sheet: [],
  }
}
