/** What the rows of a day of an account say together, whatever their order: compared with how many they are. */
export const SAID = 'sum(reinterpretAsUInt128(sipHash128(campaign_id, plan_id, toString(mapSort(metrics)))))'

/**
 * The rows of an advertiser's reports that count between two days: of each (account, day, source) those of the greatest
 * version. One pass over the table, so that a day that is replaced meanwhile is read as it was or as it is, never in part.
 * Takes the parameters `adv_id`, `from` and `to`, both days included.
 */
export const IN_FORCE = `
  SELECT * FROM (
    SELECT date, account_id, source, version, campaign_id, plan_id, metrics, is_empty, import_id,
      max(version) OVER (PARTITION BY date, account_id, source) AS newest
    FROM report_day
    WHERE adv_id = {adv_id:UInt32} AND date BETWEEN {from:Date} AND {to:Date})
  WHERE version = newest`

/**
 * The rows in force without those of files that a platform knows better: rows of the same account, day and plan, and rows
 * without a plan, which are sums over plans, where the platform has the same account, day and campaign.
 */
export const COUNTED = `
  SELECT * FROM (
    SELECT *, max(source = 'platform') OVER (PARTITION BY date, account_id, plan_id) AS knows_plan,
      max(source = 'platform') OVER (PARTITION BY date, account_id, campaign_id) AS knows_campaign
    FROM (${IN_FORCE}) WHERE NOT is_empty)
  WHERE source = 'platform' OR NOT if(plan_id = '', knows_campaign, knows_plan)`
