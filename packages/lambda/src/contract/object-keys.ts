/** First part of the keys of each kind of object in the bucket; none of them may hold results. */
export const prefixes = {
  /** Projects: `sites/<siteId>/`. */
  sites: 'sites/',
  /** Work of renders: `renders/<renderId>/`, removed by the lifecycle of the bucket. */
  renders: 'renders/',
  /** Finished segments, kept for later renders under a retention. */
  segments: 'segments/',
  /** Packages of the function: `functions/<sha256>.zip`, and the formats that it makes. */
  functions: 'functions/',
} as const

/** Where results go unless a caller gives a key. */
export const OUTPUTS = 'outputs/'

/** The formats that the function makes, for those who start renders: they see neither its config nor its package. */
export const FORMATS_KEY = `${prefixes.functions}formats.json`

/** Objects of a site: the zip of the project, and its description, which is written last. */
export const siteKeys = (siteId: string) => ({
  zip: `${prefixes.sites}${siteId}/project.zip`,
  description: `${prefixes.sites}${siteId}/site.json`,
})

/** Objects of a render. */
export const renderKeys = (renderId: string) => {
  const folder = `${prefixes.renders}${renderId}/`
  return {
    folder,
    /** Variables that are too large for the input of the execution. */
    variables: `${folder}variables.json`,
    /** The input of the execution, for the function: the state between its calls is small. */
    request: `${folder}request.json`,
    plan: `${folder}plan.json`,
    /** Finished segments; different bytes of one segment are different objects. */
    segment: (index: number, digest: string) => `${folder}segments/${index}-${digest.slice(0, 16)}`,
    /** What became of a chunk: its segments with their digests. */
    chunk: (index: number, digest: string) => `${folder}chunks/${index}-${digest.slice(0, 16)}.json`,
    /** One object for each start and each end of a call of the function; see call-records.ts. */
    calls: `${folder}calls/`,
    /** What the render ended with. */
    result: `${folder}result.json`,
    failure: `${folder}failure.json`,
  }
}

/** Claims of segments that renders of a batch would encode at once; they stand beside the segments, and go with them. */
export const claimFolder = (batchId: string, shape: string): string => `${prefixes.segments}claims/${batchId}/${shape}/`
