/** Codes of provinces and cities end in 00; 90 stands for cities that lie right below a province, such as 仙桃 (429004). */
const DISTRICT_CODE = /^\d{2}(?!90)\d{2}(?!00)\d{2}$/

/** Whether an administrative code of the mainland is that of a district or county, and not of a city or province. */
export const isDistrictCode = (code: string): boolean => DISTRICT_CODE.test(code)
