export default function AdvertiserDataPage() {
  return null
}
