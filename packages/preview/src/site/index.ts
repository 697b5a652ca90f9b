export { openFonts, type SiteFonts } from './fonts.ts'
export { openProjectSite, type ProjectSite, type ProjectSiteParts } from './project-site.ts'
