import { type CompositionFacts, canonicalJson } from '@vid/kernel'
import { isVidError } from '@vid/protocol'
import type { CompositionSettings, Renderer } from '@vid/render'
import type { CheckResult } from './events.ts'
import { type KeptComposition, type ReadFactsOptions, readFacts, type SeenComposition } from './facts/read-facts.ts'
import { type FoundFinding, findAll } from './findings/find.ts'
import type { ChosenRule } from './rules/choose-rules.ts'
import { inRun, type VariedRun } from './variables/varied-run.ts'

/** What is checked. */
export interface CheckSettings {
  readonly composition: CompositionSettings
  readonly rules: readonly ChosenRule[]
  /** The composition is shown once for each. */
  readonly runs: readonly VariedRun[]
}

/** Codes of errors by which a page ends before anything of it can be seen: they are findings. */
const PAGE_ERRORS = ['VID_SCRIPT_FAILED', 'VID_FONT_NOT_LOADED', 'VID_IMAGE_NOT_LOADED']

/** A composition of which nothing is known but what ended it. */
const endedFacts = (error: { code: string; message: string; hint?: string | undefined }): CompositionFacts => ({
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

const readRun = (
  renderer: Renderer,
  composition: CompositionSettings,
  options: ReadFactsOptions,
): Promise<SeenComposition> =>
  readFacts(renderer, composition, options).catch((thrown: unknown) => {
    if (!isVidError(thrown) || !PAGE_ERRORS.includes(thrown.code)) throw thrown
    return { facts: endedFacts(thrown), elements: [], root: null }
  })

/** A composition that was checked, with what its findings are drawn from. */
export interface CheckedRuns {
  readonly all: readonly FoundFinding[]
  readonly compositions: readonly { readonly run: VariedRun; readonly composition: SeenComposition }[]
}

/** How a check is stopped, who hears how far it is, and what it keeps for the next one. */
export interface CheckRunOptions extends Omit<ReadFactsOptions, 'keep'> {
  /** What was found of the composition, by its values; the next check with it looks only at the frames of an edit. */
  readonly kept?: Map<string, KeptComposition>
}

const keptOf = (
  kept: Map<string, KeptComposition>,
  { projectDir = '.', entry = 'index.html', variables, shapes }: CompositionSettings,
): KeptComposition => {
  const key = canonicalJson([shapes ?? null, variables ?? {}])
  const keep = kept.get(key) ?? { composition: { projectDir, entry } }
  kept.set(key, keep)
  return keep
}

/** Shows a composition with each set of values, and applies the rules to what is seen. */
export const checkRuns = async (
  renderer: Renderer,
  { composition, rules, runs }: CheckSettings,
  { kept, ...options }: CheckRunOptions,
): Promise<CheckedRuns> => {
  const compositions: { run: VariedRun; composition: SeenComposition }[] = []
  for (const run of runs) {
    const varied = inRun(composition, run)
    const keep = kept && keptOf(kept, varied)
    compositions.push({ run, composition: await readRun(renderer, varied, { ...options, ...(keep && { keep }) }) })
  }
  const all = compositions.flatMap(({ run, composition: read }) => findAll(read, rules, run.name))
  return { all, compositions }
}

/** The result of a check, without what is ignored and what a baseline has. */
export const checkResult = (
  { all, compositions }: CheckedRuns,
  isOld: (finding: CheckResult['findings'][number]) => boolean = () => false,
): CheckResult => {
  const heard = all.filter(({ isIgnored }) => !isIgnored).map(({ finding }) => finding)
  const findings = heard.filter((finding) => !isOld(finding))
  const count = (level: string) => findings.filter((finding) => finding.level === level).length
  const [first] = compositions
  return {
    ok: count('error') === 0,
    errors: count('error'),
    warnings: count('warning'),
    notes: count('note'),
    findings,
    ignored: all.length - heard.length,
    baselined: heard.length - findings.length,
    frames: first?.composition.facts.frames ?? 0,
    states: first?.composition.facts.states.length ?? 0,
    runs: compositions.length,
    sheet: [],
  }
}
