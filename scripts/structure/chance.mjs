// Rules of `npm run check` for tests: what lets one fail although nothing is wrong. CONTRIBUTING.md has the rules in words.

/** Real time that a test may set as a limit, in milliseconds: a machine that is busy with other things takes long for all. */
export const SHORTEST_LIMIT_MS = 60_000

/** Whether a file is a test, or is part of one. */
export const servesTests = (file) =>
  /\.test\.[cm]?[jt]s$|-suite\.ts$/.test(file) ||
  (/\.[cm]?[jt]s$/.test(file) && /^e2e\/(?!projects\/|long\/)|(?:^|\/)(?:fixtures|testing)\//.test(file)) ||
  /^packages\/base\/testkit\/src\//.test(file)

/** Parts of code: a run of plain code, a comment, a string, a regular expression, or a character. */
const PART =
  /[^'"`{}/]+|\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=[(,=:[!&|?{};]\s*|\breturn\s+)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|[\s\S]/y
/** The text of a template, up to its end or to code in it. */
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y

const blank = (text) => text.replace(/[^\n]/g, ' ')

/**
 * The code of a file: what strings, templates and comments say is blanked, since pages and scripts in them have clocks of
 * their own. Line numbers stay.
 */
export const codeOf = (text) => {
  const code = []
  /** Of each template that is open, the braces that are open in its code. */
  const templates = []
  let at = 0
  const take = (pattern) => {
    pattern.lastIndex = at
    const [part] = pattern.exec(text)
    at += part.length
    return part
  }
  const readTemplate = () => {
    const said = take(TEMPLATE_TEXT)
    code.push(blank(said))
    if (said.endsWith('${')) templates.push(0)
  }
  while (at < text.length) {
    const part = take(PART)
    const isText = part === '`' || (part.length > 1 && /^(?:['"]|\/[^\s])/.test(part))
    code.push(isText ? blank(part) : part)
    if (part === '`') readTemplate()
    else if (part === '{' && templates.length > 0) templates[templates.length - 1] += 1
    else if (part === '}' && templates.length > 0) {
      templates[templates.length - 1] -= 1
      if (templates.at(-1) < 0) {
        templates.pop()
        readTemplate()
      }
    }
  }
  return code.join('')
}

const isShort = (digits) => Number(digits.replaceAll('_', '')) < SHORTEST_LIMIT_MS

/** What a line must not say, with why and what to do; `shows` tells whether a match breaks the rule. */
const RULES = [
  {
    pattern: /\btimeout: *([\d_]+)\b|\bAbortSignal\.timeout\(([\d_]+)\)|\bwaitFor\(.*, ([\d_]+)\)/g,
    shows: ([, ...limits]) => limits.some((limit) => limit !== undefined && isShort(limit)),
    why: 'has a limit of real time below a minute, which a busy machine exceeds',
  },
  {
    pattern: /\.now\(\) - \w+\)(?:\.not)?\.toBeLess\w*\(([\d_]+)/g,
    shows: ([, limit]) => isShort(limit),
    why: 'judges by real time below a minute: compare what was done, or processor time',
  },
  {
    pattern: /\bwhile \(.*\bawait\b.*(?:setImmediate|[tT]urn\()/g,
    why: 'waits in a loop without an end: use expect.poll, for a state that stays',
  },
  {
    pattern: /\bsetTimeout\(\(\) => \w*reject\(/g,
    why: 'rejects after real time, whatever the machine does meanwhile: stopsInTime of @vid/testkit counts served time',
  },
  { pattern: /\bwaitForTimeout\(/g, why: 'sleeps: wait for the condition itself' },
  { pattern: /\b(?:freePort|getPort)\b/g, why: 'chooses a port that another may take before it is used: listen on 0' },
  { pattern: /\.listen\(([1-9]\d*)\b/g, why: 'listens on a port that may be taken: listen on 0, and read the port' },
  {
    pattern: /\b(?:test|describe|it)\b.*\bretry: *[1-9]/g,
    why: 'is tried again: a test that fails sometimes has found a defect',
  },
]

/** Whether a file drives a browser by a library, whose own limits are 30 s. */
const drivesBrowsers = (file, text) =>
  /^import (?!type )[^\n]* from '(?:playwright-core|puppeteer-core)'|\bimport\('(?:playwright-core|puppeteer-core)'\)/m.test(
    text,
  ) ||
  (file.startsWith('e2e/') && /\.newPage\(/.test(text))

/** What a file must say where it says something else, with why. */
const PAIRS = [
  {
    says: /\b(?:chromium|firefox|webkit|puppeteer)\.launch\(/,
    needs: /\btimeout: /,
    why: 'starts a browser in 30 s at most',
  },
  { says: /\.newPage\(/, needs: /\bsetDefaultTimeout\(/, why: 'opens pages whose steps take 30 s at most' },
]

const missingLimits = ([file, text]) => {
  if (!drivesBrowsers(file, text)) return []
  const code = codeOf(text)
  return PAIRS.filter(({ says, needs }) => says.test(code) && !needs.test(code)).map(({ why }) => ({
    key: `${file} ${why}`,
    text: `${file} ${why}, by default: set BROWSER_PATIENCE_MS of scripts/dev`,
  }))
}

/** Lines of tests that let them fail by chance. */
export const chances = (texts) => {
  const tests = texts.filter(([file]) => servesTests(file))
  const lines = tests.flatMap(([file, text]) =>
    codeOf(text)
      .split('\n')
      .flatMap((line, index) =>
        RULES.filter(({ pattern, shows = () => true }) => [...line.matchAll(pattern)].some(shows)).map(({ why }) => ({
          key: `${file} ${why.split(/[:,]/)[0]}`,
          text: `${file}:${index + 1} ${why}`,
        })),
      ),
  )
  return [...lines, ...tests.flatMap(missingLimits)]
}
