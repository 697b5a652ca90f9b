export { openFonts, type SiteFonts } from './fonts.ts'
export { type AskedDocument, preparePublicDocument } from './prepared-page.ts'
export { openProjectSite, type ProjectSite, type ProjectSiteParts } from './project-site.ts'
