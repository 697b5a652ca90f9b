export { siteErrors } from './errors.ts'
export { NO_STORE, type SitePlace } from './site/documents.ts'
export { openFonts, type SiteFonts } from './site/fonts.ts'
export {
  type AskedDocument,
  mediaBase,
  type Preparing,
  prepareDocument,
  preparePublicDocument,
  rateOf,
} from './site/prepared-page.ts'
export { problemPage } from './site/problem-page.ts'
export { openProjectSite, type ProjectSite, type ProjectSiteParts } from './site/project-site.ts'
